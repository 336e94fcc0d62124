import { randomUUID } from 'node:crypto';
import * as limits from '#contract/limits.ts';
import type { Context } from '#server/context.ts';
import type { ReadableModule, Shelf } from '#server/features/catalog/index.ts';
import type { CallMeter } from '#server/features/credits/index.ts';
import { requireRight } from '#server/features/teams/index.ts';
import { storedJson } from '#server/platform/db/stored-json.ts';
import { type AgentMemory, userOf } from './agent-memory.ts';
import { type Candidate, findCandidates } from './candidates.ts';
import { cleanLabel } from './clean-text.ts';
import { equalLibraries, equalVersions, libraryKeyOf } from './equal-libraries.ts';
import { type FindingDeps, findPassages, type Picks } from './find-passages.ts';
import { parseQuery } from './parse-query.ts';
import { findQuestionOf, insertQuestion, listQuestions, type QuestionRow, settleQuestion } from './question-store.ts';
import type { AgentRef, FoundPassages, SearchDocsInput } from './types.ts';

/** Something that the person at the client knows and the query does not say. */
export interface WhichQuestion {
  id: string;
  kind: 'library' | 'version';
  query: string;
  /** Of the library whose version is asked for; undefined for a question between libraries. */
  libraryName: string | undefined;
  candidates: { value: string; label: string }[];
}

/** What came of a question: one of its candidates, any of them, or no word. */
export type WhichAnswer = { picked: string } | 'any' | 'declined';

interface Offered {
  value: string;
  key: string;
}

interface Deps extends FindingDeps {
  memory: AgentMemory;
  meter?: CallMeter | undefined;
}

const idPrefix = 'which-';

/** Returns true if an id is one of such a question. */
export function isWhichId(id: string): boolean {
  return id.startsWith(idPrefix);
}

/**
 * The question to put before this search, written down for its conversation: which library is meant where several answer
 * about equally well and differently, else which version of the one that answers. Undefined where the search is clear, where
 * the person was asked about these before, has declined once, has a question open or was asked often enough in this
 * conversation. Costs a search, which the one that follows need not repeat where `found` is returned; refuses as the search would.
 */
export async function askWhich(
  deps: Deps,
  ctx: Context,
  input: SearchDocsInput,
  agent: AgentRef,
): Promise<{ question?: WhichQuestion; found?: FoundPassages }> {
  requireRight(ctx, 'docs.search');
  const query = parseQuery(input.query);
  if ((input.module?.trim() ?? '') !== '') return {};
  const asked = await questionsOf(deps.memory, ctx, agent);
  const isTired =
    asked.length >= limits.whichQuestionsPerConversation || asked.some(({ state }) => state !== 'answered');
  if (isTired) return {};
  await deps.meter?.admit(ctx, { tool: 'search', args: { query: input.query }, clientName: agent.clientName });
  const found = await findPassages({ shelf: deps.shelf, ranker: deps.ranker }, ctx, input, query, picksIn(asked));
  const known = new Set(asked.flatMap((question) => offeredIn(question).map(({ key }) => key)));
  const options =
    librariesToOffer(found, query.text, known) ?? (await versionsToOffer(deps.shelf, found, query.text, known));
  // A search ranks by meaning as well where there is a model.
  if (options === undefined) return deps.meaning === undefined ? { found } : {};
  const sessionId = await deps.memory.conversationId(ctx, agent);
  const id = `${idPrefix}${randomUUID()}`;
  const offered = options.offered.map(({ value, key }) => ({ value, key }));
  const row = { id, sessionId, kind: options.kind, offered: JSON.stringify(offered), askedAt: ctx.clock.now() };
  const isPut = await ctx.db.transaction((tx) => insertQuestion(tx, { ...row, state: 'asked' }), {
    durability: 'process',
  });
  if (!isPut) return {};
  const candidates = options.offered.map(({ value, label }) => ({ value, label }));
  const question = { id, kind: options.kind, query: query.text, libraryName: options.libraryName, candidates };
  return { question };
}

/** Takes an answer to a question put to this person; the first one stands, and one to a question of others is ignored. */
export async function answerWhich(ctx: Context, questionId: string, answer: WhichAnswer): Promise<void> {
  const row = await findQuestionOf(ctx.db.query, userOf(ctx), questionId);
  if (row === undefined) return;
  const picked = typeof answer === 'string' ? undefined : offeredIn(row).find(({ value }) => value === answer.picked);
  const isAnswered = answer === 'any' || picked !== undefined;
  const to = { state: isAnswered ? ('answered' as const) : ('declined' as const), answer: picked?.key ?? null };
  const settle = { ...to, answeredAt: ctx.clock.now() };
  await ctx.db.transaction((tx) => settleQuestion(tx, questionId, settle), { durability: 'process' });
}

/** Returns true if a question still waits for its answer. */
export async function isWhichOpen(ctx: Context, questionId: string): Promise<boolean> {
  return (await findQuestionOf(ctx.db.query, userOf(ctx), questionId))?.state === 'asked';
}

/** What the person chose in the conversation of this agent. */
export async function picksOf(memory: AgentMemory, ctx: Context, agent: AgentRef): Promise<Picks> {
  return picksIn(await questionsOf(memory, ctx, agent));
}

async function questionsOf(memory: AgentMemory, ctx: Context, agent: AgentRef): Promise<QuestionRow[]> {
  const sessionId = await memory.knownConversationId(ctx, agent);
  return sessionId === undefined ? [] : listQuestions(ctx.db.query, sessionId);
}

function picksIn(questions: QuestionRow[]): Picks {
  const pickedOf = (wanted: QuestionRow['kind']): ReadonlySet<string> =>
    new Set(questions.flatMap(({ kind, answer }) => (kind === wanted && answer !== null ? [answer] : [])));
  return { versions: pickedOf('version'), libraries: pickedOf('library') };
}

function offeredIn({ offered }: Pick<QuestionRow, 'offered'>): Offered[] {
  return storedJson<Offered[]>(offered, []);
}

interface Options {
  kind: WhichQuestion['kind'];
  libraryName: string | undefined;
  offered: (Offered & { label: string })[];
}

function librariesToOffer(found: FoundPassages, query: string, known: ReadonlySet<string>): Options | undefined {
  const equal = equalLibraries(found.candidates, query);
  const isKnown = equal.every(({ module }) => known.has(libraryKeyOf(module)));
  if (equal.length === 0 || isKnown) return undefined;
  return { kind: 'library', libraryName: undefined, offered: offersOf(equal, ({ module }) => libraryKeyOf(module)) };
}

/** Only of the library that answers first, and only where no one has said which version: not the query, no lockfile, no person. */
async function versionsToOffer(
  shelf: Shelf,
  { candidates, choices }: FoundPassages,
  query: string,
  known: ReadonlySet<string>,
): Promise<Options | undefined> {
  const rowId = candidates[0]?.module.rowId;
  const choice = choices.find(({ chosen }) => chosen.rowId === rowId);
  if (choice === undefined || choice.versions.length < 2) return undefined;
  const isSettled = choice.asked !== undefined || choice.pin !== undefined || choice.isPicked;
  if (isSettled || choice.versions.some((version) => known.has(version.rowId))) return undefined;
  const { views } = await shelf.openSound(choice.versions, query);
  const equal = equalVersions(await findCandidates(views, { text: query }));
  if (equal.length < 2) return undefined;
  const offered = offersOf(equal, ({ module }) => module.rowId);
  return { kind: 'version', libraryName: cleanLabel(choice.chosen.displayName, 80), offered };
}

/** Ids are what agents use; a private module and a public one may share theirs. */
function offersOf(equal: Candidate[], keyOf: (candidate: Candidate) => string): Options['offered'] {
  const offers = equal.slice(0, limits.whichCandidatesMax).map((candidate) => {
    const { module } = candidate;
    const value = module.visibility === 'private' ? `${module.moduleId} (private)` : module.moduleId;
    return { value, key: keyOf(candidate), label: labelOf(module) };
  });
  return offers.filter((offer, at) => offers.findIndex(({ value }) => value === offer.value) === at);
}

function labelOf({ displayName, moduleId, version, visibility }: ReadableModule): string {
  const name = cleanLabel(displayName, 80);
  const parts = [
    ...(version === null || name.includes(version) ? [] : [cleanLabel(version, 30)]),
    ...(name === moduleId ? [] : [cleanLabel(moduleId)]),
    ...(visibility === 'private' ? ['private'] : []),
  ];
  return parts.length === 0 ? name : `${name} (${parts.join(', ')})`;
}
