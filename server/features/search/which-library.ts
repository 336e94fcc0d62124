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

/** A question to the user at the client about a detail that the query leaves open. */
export interface WhichQuestion {
  id: string;
  kind: 'library' | 'version';
  query: string;
  /** The library whose version is in question; undefined for a choice between libraries. */
  libraryName: string | undefined;
  candidates: { value: string; label: string }[];
}

/** The answer: one of the candidates, any of them, or declined. */
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

/** Returns true if the id belongs to such a question. */
export function isWhichId(id: string): boolean {
  return id.startsWith(idPrefix);
}

/**
 * Creates and stores the question to ask before this search: which library is meant if several answer about equally
 * well but differently, else which version of the best library. None if the search is unambiguous, if the user was
 * already asked about these, has declined once, has an open question or was asked often enough in this conversation.
 * Runs a search, which the following search can reuse if `found` is returned, and fails like it.
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
  // With an embedding model the search also ranks by meaning, so these passages cannot be reused.
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

/**
 * Stores the answer to a question put to this user; the first answer is final, and answers to other users' questions
 * are ignored.
 */
export async function answerWhich(ctx: Context, questionId: string, answer: WhichAnswer): Promise<void> {
  const row = await findQuestionOf(ctx.db.query, userOf(ctx), questionId);
  if (row === undefined) return;
  const picked = typeof answer === 'string' ? undefined : offeredIn(row).find(({ value }) => value === answer.picked);
  const isAnswered = answer === 'any' || picked !== undefined;
  const to = { state: isAnswered ? ('answered' as const) : ('declined' as const), answer: picked?.key ?? null };
  const settle = { ...to, answeredAt: ctx.clock.now() };
  await ctx.db.transaction((tx) => settleQuestion(tx, questionId, settle), { durability: 'process' });
}

/** Returns true if the question has not been answered yet. */
export async function isWhichOpen(ctx: Context, questionId: string): Promise<boolean> {
  return (await findQuestionOf(ctx.db.query, userOf(ctx), questionId))?.state === 'asked';
}

/** Returns the user's choices in this agent's conversation. */
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

/**
 * Returns the versions to choose from, only for the library that answers first and only if neither the query, a
 * lockfile nor the user has determined the version.
 */
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

/** Returns the candidates to offer by id, as agents use it; a private and a public module may share their id. */
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
