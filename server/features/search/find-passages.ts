import type { Context } from '#server/context.ts';
import { type SegmentView, viewsTitled, wordShares } from '#server/engine/index.ts';
import type { ModuleView, ReadableModule, Shelf, UnreadableModule } from '#server/features/catalog/index.ts';
import { findPins, type LibraryPin } from '#server/features/profile/index.ts';
import { BlobError } from '#server/platform/blobs/blobs.ts';
import { timed } from '#server/platform/tracing.ts';
import { type Candidate, findByMeaning, findCandidates } from './candidates.ts';
import { chooseModules } from './choose-modules.ts';
import { chooseVersions } from './choose-versions.ts';
import { libraryKeyOf } from './equal-libraries.ts';
import { cataloguedFirst, isMentioned, type Mention, mentionsIn } from './library-names.ts';
import type { Meaning } from './meaning.ts';
import type { ParsedQuery } from './parse-query.ts';
import type { Ranker } from './rank-thread.ts';
import type { FoundPassages, SearchDocsInput } from './types.ts';

/** The user's choices in this conversation. */
export interface Picks {
  /** Row ids of the chosen versions. */
  versions: ReadonlySet<string>;
  /** Keys of the chosen libraries, as `libraryKeyOf` returns them. */
  libraries: ReadonlySet<string>;
}

/** Passages examined for a name; more than an answer shows. */
const passagesLookedAt = 20;

export const noPicks: Picks = { versions: new Set(), libraries: new Set() };

export interface FindingDeps {
  shelf: Shelf;
  /** If absent, ranking uses words only. */
  meaning?: Meaning | undefined;
  /** If absent, ranking runs on the caller's thread. */
  ranker?: Ranker | undefined;
}

/**
 * Finds the passages that may answer, best first, in one version of each library. A query that names no library is
 * answered from a library that the user chose in this conversation, if it fits. Throws if no module can be read.
 */
export async function findPassages(
  { shelf, meaning, ranker }: FindingDeps,
  ctx: Context,
  input: SearchDocsInput,
  query: ParsedQuery,
  picks: Picks,
): Promise<FoundPassages> {
  const all = await shelf.readableModules(ctx);
  const chosen = chooseModules(all, input.module, query.visibility);
  const readable = isNamed(input.module) ? chosen : withoutOwnDocs(chosen, query.text);
  const pins = await pinsFor(ctx, input, readable);
  const { modules, choices, versionWords } = chooseVersions(readable, query.text, pins, picks.versions, all);
  const { views, unreadable } = await openModules(shelf, ctx, modules, query.text);
  const vector = views.length === 0 ? undefined : await meaning?.ofQuestion(ctx, query.text);
  const find: Find = async (among, names) => {
    const asked = { text: query.text, names };
    if (among.length === 0) return [];
    if (meaning === undefined || vector === undefined) return findCandidates(among, asked, ranker);
    return findByMeaning(among, asked, vector, meaning.passages);
  };
  const titled = (words: string) => viewsTitled(views, words).map(({ module }) => module);
  const mentions = isNamed(input.module) ? [] : mentionsIn(query.text, modules, titled);
  const names = [...mentions.map(({ text }) => text), ...versionWords];
  const picked = mentions.length > 0 ? [] : views.filter(({ module }) => picks.libraries.has(libraryKeyOf(module)));
  const best = await timed('rank', () =>
    picked.length > 0
      ? findInLikely(raised(views, picked), picked, names, find)
      : findInNamed(views, mentions, names, query, find),
  );
  const isModelAway = views.length > 0 && meaning !== undefined && vector === undefined;
  const isOfNamed = mentions.some(({ isWhole, modules: named }) => isWhole && isAmong(named, best[0]));
  const absent = isNamed(input.module) || mentions.length > 0 ? undefined : absentLibrary(query, all, views);
  const fitMin = absent === undefined ? namedSettings.fitMin : namedSettings.absentFitMin;
  const fits = vector !== undefined || isOfNamed || covers(best, fitMin, query);
  const [candidates, nearest] = fits ? [best, []] : [[], best];
  const asked = isOfNamed ? views.filter(({ module }) => module.rowId === best[0]?.module.rowId) : views;
  const textsFound = () => best.slice(0, passagesLookedAt).map(({ snippet }) => snippet.text);
  const nowhere = { names: absentNames(asked, query.text, textsFound), modules: asked.map(({ module }) => module) };
  return { modules, choices, unreadable, candidates, nearest, absent, nowhere, isModelAway };
}

/**
 * Returns the well-known library whose name begins the query, if none of the caller's documentation has that name or
 * uses it often, and the name is not an ordinary word.
 */
function absentLibrary({ text }: ParsedQuery, all: ReadableModule[], views: ModuleView[]): string | undefined {
  const first = cataloguedFirst(text);
  if (first === undefined || mentionsIn(first.text, all).length > 0) return undefined;
  const mention = { text: first.text, modules: [], isWhole: true, isFirst: true };
  const isAbsent = wordShares(views, first.text).every((share) => share < namedSettings.ownShareMin);
  return isAbsent && !isOrdinary(mention, views) ? first.name : undefined;
}

function isAmong(modules: ReadableModule[], candidate: Candidate | undefined): boolean {
  return modules.some(({ rowId }) => rowId === candidate?.module.rowId);
}

function isNamed(filter: string | undefined): boolean {
  return (filter?.trim() ?? '') !== '';
}

/**
 * Excludes the product's own documentation, which is included as a demo, unless the query names the product or there is
 * no other source: its pages about keys and webhooks must not appear among a library's.
 */
export function withoutOwnDocs(modules: ReadableModule[], query: string): ReadableModule[] {
  const others = modules.filter((module) => module.isOwnDocs !== true || isMentioned(query, module));
  return others.length === 0 ? modules : others;
}

/** Thresholds for queries that name a library; fitted on the project's own questions. */
export const namedSettings = {
  /** A name that occurs in this share of another library's passages… */
  ordinaryShareMin: 0.003,
  /** …in at least this share of the other libraries is an ordinary word. */
  ordinaryLibrariesMin: 0.34,
  /**
   * Score factor for a library that is likely meant: its whole name is an ordinary word in the query, or the user chose
   * it before.
   */
  likelyFactor: 1.5,
  /** If the best passage covers a smaller share of the query, other libraries are searched too. */
  coverageMin: 0.34,
  /** An ordinary word that begins the query counts as a name if the best passage covers this share of the query. */
  firstCoverageMin: 0.6,
  /**
   * Nothing fits if the best passage covers a smaller share of the query and its library is not named in the query;
   * fitted on questions that no documentation answers.
   */
  fitMin: 0.35,
  /** The same if the query begins with the name of a well-known library that is not indexed. */
  absentFitMin: 0.6,
  /**
   * Documentation that mentions a name in this share of its passages is about that library: own names reach 0.07 or
   * more, others 0.04.
   */
  ownShareMin: 0.05,
  /** Coverage is not checked for queries with more words, such as a pasted task: no passage covers much of them. */
  coverageWordsMax: 25,
};

type Find = (among: ModuleView[], names: string[]) => Promise<Candidate[]>;

/** Searches the libraries that the query names, and the others only if these have nothing that fits. */
async function findInNamed(
  views: ModuleView[],
  mentions: Mention[],
  names: string[],
  query: ParsedQuery,
  find: Find,
): Promise<Candidate[]> {
  const isOf = (some: Mention[]) => (view: ModuleView) =>
    some.some(({ modules }) => modules.some(({ rowId }) => rowId === view.module.rowId));
  const certain = mentions.filter((mention) => !isOrdinary(mention, views));
  if (certain.length === 0) {
    const first = views.filter(isOf(mentions.filter(({ isFirst, isWhole }) => isFirst && isWhole)));
    const found = await find(first, names);
    if (first.length < views.length && covers(found, namedSettings.firstCoverageMin, query)) return found;
  }
  const own = views.filter(isOf(certain.length > 0 ? certain : mentions));
  if (own.length === 0 || own.length === views.length) return find(views, own.length === 0 ? [] : names);
  if (certain.length === 0) {
    const whole = views.filter(isOf(mentions.filter(({ isWhole }) => isWhole)));
    return findInLikely(raised(views, whole), own, names, find);
  }
  const found = await find(own, names);
  return covers(found, namedSettings.coverageMin, query) ? found : find(views, []);
}

/** Returns true if the best passage covers at least this share of the query. */
function covers([best]: Candidate[], share: number, { text }: ParsedQuery): boolean {
  if (best === undefined) return false;
  return best.coverage >= share || text.split(' ').length > namedSettings.coverageWordsMax;
}

/** Searches all libraries; if the best passage belongs to a likely one, searches only the likely ones. */
async function findInLikely(
  views: ModuleView[],
  likely: ModuleView[],
  names: string[],
  find: Find,
): Promise<Candidate[]> {
  const found = await find(views, []);
  const modules = likely.map(({ module }) => module);
  return isAmong(modules, found[0]) ? find(likely, names) : found;
}

function raised(views: ModuleView[], likely: ModuleView[]): ModuleView[] {
  return views.map((view) =>
    likely.includes(view) ? { ...view, boost: (view.boost ?? 1) * namedSettings.likelyFactor } : view,
  );
}

function isOrdinary({ text, modules, isWhole }: Mention, views: ModuleView[]): boolean {
  if (!isWhole) return true;
  const others = views.filter(({ module }) => !modules.some(({ rowId }) => rowId === module.rowId));
  const saying = wordShares(others, text).filter((share) => share >= namedSettings.ordinaryShareMin);
  return others.length > 0 && saying.length >= others.length * namedSettings.ordinaryLibrariesMin;
}

/** Returns the lockfile pins; none if the call names a module, which also determines the version. */
async function pinsFor(ctx: Context, { module }: SearchDocsInput, readable: ReadableModule[]) {
  return isNamed(module) ? new Map<string, LibraryPin>() : findPins(ctx, readable);
}

/**
 * Opens the modules. An unreadable module does not prevent searching the others; if none can be read, throws its error.
 */
async function openModules(
  shelf: Shelf,
  ctx: Context,
  modules: ReadableModule[],
  question: string,
): Promise<{ views: ModuleView[]; unreadable: UnreadableModule[] }> {
  const { views, unreadable } = await shelf.openSound(modules, question);
  for (const { module, fault } of unreadable)
    ctx.log.error({ err: fault, module: module.moduleId }, 'module not searched');
  // Prefer a temporary error: the caller can retry.
  const told = unreadable.find(({ fault }) => fault instanceof BlobError) ?? unreadable[0];
  if (views.length === 0 && told !== undefined) throw told.fault;
  return { views, unreadable };
}

/** Matches code-like names: `a_b`, `aB`, `AbcDef`, `a.b`, `a::b`, `a#b`, `a->b`, `a()`, `--a-b`. */
const written =
  /(?<![\p{L}\p{N}_$./@:-])(?:--\p{L}[\p{L}\p{N}]*(?:-[\p{L}\p{N}]+)*|[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#|->)[\p{L}_$][\p{L}\p{N}_$]*)*(?:\(\))?)(?![\p{L}\p{N}_/@:-]|\.[\p{L}\p{N}])/gu;
const sign = /^--|[\p{L}\p{N}]_[\p{L}\p{N}]|\p{Ll}\p{Lu}|\p{L}(?:\.|::|#|->)\p{L}|\(\)$/u;
const separator = /::|->|[.#]/;
const charactersMin = 4;
const namesMax = 3;
/** A longer query is a task with its own code, whose names no documentation contains. */
const queryCharactersMax = 200;

/**
 * Returns up to three names in the query that these modules do not contain, as written. Of a qualified name only the
 * last part is checked, since it may be inherited or imported. A name that is part of a longer one in the passages
 * found (`SameSite`, `sameSiteCookies`) counts as contained.
 */
function absentNames(views: readonly SegmentView[], query: string, textsFound: () => string[]): string[] {
  if (views.length === 0 || query.length > queryCharactersMax) return [];
  const names = [...query.matchAll(written)].map(([name]) => name).filter((name) => sign.test(name));
  const absent = names.filter((name) => {
    const last = lastPart(name);
    return last.length >= charactersMin && wordShares(views, last).every((share) => share === 0);
  });
  if (absent.length === 0) return [];
  const found = textsFound().join('\n').toLowerCase();
  const isPart = (name: string) => found.includes(lastPart(name).toLowerCase());
  return [...new Set(absent)].filter((name) => !isPart(name)).slice(0, namesMax);
}

function lastPart(name: string): string {
  return name.replace('()', '').split(separator).at(-1) ?? '';
}
