import type { Context } from '#server/context.ts';
import { viewsTitled, wordShares } from '#server/engine/index.ts';
import type { ModuleView, ReadableModule, Shelf, UnreadableModule } from '#server/features/catalog/index.ts';
import { findPins, type LibraryPin } from '#server/features/profile/index.ts';
import { BlobError } from '#server/platform/blobs/index.ts';
import { traced } from '#server/platform/tracing.ts';
import { type Candidate, findByMeaning, findCandidates } from './candidates.ts';
import { chooseModules } from './choose-modules.ts';
import { chooseVersions, type VersionChoice } from './choose-versions.ts';
import { equalLibraries, libraryKeyOf } from './equal-libraries.ts';
import { isMentioned, type Mention, mentionsIn } from './library-names.ts';
import type { Meaning } from './meaning.ts';
import type { ParsedQuery } from './parse-query.ts';
import type { Ranker } from './rank-thread.ts';
import type { SearchDocsInput } from './types.ts';

/** What the person at a client answered in this conversation. */
export interface Picks {
  /** Row ids of versions. */
  versions: ReadonlySet<string>;
  /** By key of the library: the one that is meant, and those that were offered beside it. */
  libraries: { chosen: string; passedOver: ReadonlySet<string> }[];
}

export const noPicks: Picks = { versions: new Set(), libraries: [] };

export interface FoundPassages {
  /** All that the query and the filter let the caller search, every version. */
  readable: ReadableModule[];
  /** Those that were searched. */
  modules: ReadableModule[];
  /** Libraries whose version is worth a word: see `chooseVersions`. */
  choices: VersionChoice[];
  /** Of the modules, those whose index cannot be read. */
  unreadable: UnreadableModule[];
  candidates: Candidate[];
  /** A model that knows what passages mean is there, and did not answer. */
  isModelAway: boolean;
}

/** What was found for a call, while it was looked whether to ask its person something first: the search that follows need not find it again. */
export type FoundBefore = WeakMap<SearchDocsInput, FoundPassages>;

export interface FindingDeps {
  shelf: Shelf;
  /** Left out: words alone rank. */
  meaning?: Meaning | undefined;
  /** Left out: the caller's thread ranks. */
  ranker?: Ranker | undefined;
}

/**
 * The passages that may answer, best first, of one version of each library. Where the person chose among libraries that
 * answer about equally well, the ones they did not mean are left out. Throws when no module can be read.
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
  const { modules, choices } = chooseVersions(readable, query.text, pins, picks.versions, all);
  const { views, unreadable } = await openModules(shelf, ctx, modules, query.text);
  const vector = views.length === 0 ? undefined : await meaning?.ofQuestion(ctx, query.text);
  const find = async (among: ModuleView[], names: string[]): Promise<Candidate[]> => {
    const asked = { text: query.text, names };
    if (among.length === 0) return [];
    if (meaning === undefined || vector === undefined) return findCandidates(among, asked, ranker);
    return findByMeaning(among, asked, vector, meaning.passages);
  };
  const titled = (words: string) => viewsTitled(views, words).map(({ module }) => module);
  const mentions = isNamed(input.module) ? [] : mentionsIn(query.text, modules, titled);
  const found = await traced('rank', () => findInNamed(views, mentions, namesOf(mentions, choices), find));
  const passedOver = passedOverBy(picks, found, query);
  const meant = views.filter(({ module }) => !passedOver.has(libraryKeyOf(module)));
  const candidates = passedOver.size === 0 ? found : await find(meant, []);
  const isModelAway = views.length > 0 && meaning !== undefined && vector === undefined;
  return { readable, modules, choices, unreadable, candidates, isModelAway };
}

function isNamed(filter: string | undefined): boolean {
  return (filter?.trim() ?? '') !== '';
}

/**
 * The product's own documentation is there to be tried. Beside other sources it answers only queries that name the product:
 * its pages about keys and webhooks must not stand among those of a library.
 */
function withoutOwnDocs(modules: ReadableModule[], query: string): ReadableModule[] {
  const others = modules.filter((module) => module.isOwnDocs !== true || isMentioned(query, module));
  return others.length === 0 ? modules : others;
}

/** Stretches of the query that say which library and version is meant, and nothing of what is asked about it. */
function namesOf(mentions: Mention[], choices: VersionChoice[]): string[] {
  return [
    ...mentions.map(({ text }) => text),
    ...choices.flatMap(({ asked, missing }) => (missing ? [] : (asked ?? []))),
  ];
}

/** Search settings of libraries that a query names; fitted on the project's own questions. */
export const namedSettings = {
  /** A name that stands in this share of the passages of another library… */
  ordinaryShareMin: 0.003,
  /** …of at least this share of the other libraries is an ordinary word. */
  ordinaryLibrariesMin: 0.34,
  /** What the library gains that an ordinary word may name. */
  ordinaryFactor: 1.5,
  /** The best passage covers at least this share of what is asked, or others are searched too. */
  coverageMin: 0.34,
};

/**
 * Searches the libraries that the query names, and the others only where these have nothing that fits. Of a name that is
 * an ordinary word too, the passages decide whether it is meant.
 */
async function findInNamed(
  views: ModuleView[],
  mentions: Mention[],
  names: string[],
  find: (among: ModuleView[], names: string[]) => Promise<Candidate[]>,
): Promise<Candidate[]> {
  const isOf = (some: Mention[]) => (view: ModuleView) =>
    some.some(({ modules }) => modules.some(({ rowId }) => rowId === view.module.rowId));
  const certain = mentions.filter((mention) => !isOrdinary(mention, views));
  const own = views.filter(isOf(certain.length > 0 ? certain : mentions));
  if (own.length === 0 || own.length === views.length) return find(views, own.length === 0 ? [] : names);
  if (certain.length > 0) {
    const found = await find(own, names);
    return (found[0]?.coverage ?? 0) >= namedSettings.coverageMin ? found : find(views, []);
  }
  const raised = views.map((view) =>
    own.includes(view) ? { ...view, boost: (view.boost ?? 1) * namedSettings.ordinaryFactor } : view,
  );
  const found = await find(raised, []);
  const isMeant = found[0] !== undefined && own.some(({ module }) => module.rowId === found[0]?.module.rowId);
  return isMeant ? find(own, names) : found;
}

function isOrdinary({ text, modules, isWhole }: Mention, views: ModuleView[]): boolean {
  if (!isWhole) return true;
  const others = views.filter(({ module }) => !modules.some(({ rowId }) => rowId === module.rowId));
  const saying = wordShares(others, text).filter((share) => share >= namedSettings.ordinaryShareMin);
  return others.length > 0 && saying.length >= others.length * namedSettings.ordinaryLibrariesMin;
}

function passedOverBy({ libraries }: Picks, found: Candidate[], query: ParsedQuery): ReadonlySet<string> {
  if (libraries.length === 0) return new Set();
  const equal = new Set(equalLibraries(found, query.text).map(({ module }) => libraryKeyOf(module)));
  const settled = libraries.findLast(({ chosen }) => equal.has(chosen));
  return settled?.passedOver ?? new Set();
}

/** Who names the module has chosen its version too. */
async function pinsFor(ctx: Context, { module }: SearchDocsInput, readable: ReadableModule[]) {
  return (module?.trim() ?? '') === '' ? findPins(ctx, readable) : new Map<string, LibraryPin>();
}

/** One module that cannot be read must not keep the others from being searched; without any other it is the answer. */
async function openModules(
  shelf: Shelf,
  ctx: Context,
  modules: ReadableModule[],
  question: string,
): Promise<{ views: ModuleView[]; unreadable: UnreadableModule[] }> {
  const { views, unreadable } = await shelf.openSound(modules, question);
  for (const { module, fault } of unreadable)
    ctx.log.error({ err: fault, module: module.moduleId }, 'module not searched');
  // What passes by itself is worth asking again for.
  const told = unreadable.find(({ fault }) => fault instanceof BlobError) ?? unreadable[0];
  if (views.length === 0 && told !== undefined) throw told.fault;
  return { views, unreadable };
}
