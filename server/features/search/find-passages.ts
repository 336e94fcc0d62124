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

/** What the person at a client answered in this conversation. */
export interface Picks {
  /** Row ids of versions. */
  versions: ReadonlySet<string>;
  /** Keys of libraries: see `libraryKeyOf`. */
  libraries: ReadonlySet<string>;
}

/** More than an answer shows. */
const passagesLookedAt = 20;

export const noPicks: Picks = { versions: new Set(), libraries: new Set() };

export interface FindingDeps {
  shelf: Shelf;
  /** Left out: words alone rank. */
  meaning?: Meaning | undefined;
  /** Left out: the caller's thread ranks. */
  ranker?: Ranker | undefined;
}

/**
 * Finds the passages that may answer, best first, in one version of each library. A query that names no library is
 * answered from one that the person chose in this conversation, where that fits. Throws when no module can be read.
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
 * The well-known library whose name a query begins with, where the caller has no documentation that is called so or is full of the
 * name, and it is no ordinary word.
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
 * The product's own documentation is there to be tried. Beside other sources it answers only queries that name the product:
 * its pages about keys and webhooks must not stand among those of a library.
 */
export function withoutOwnDocs(modules: ReadableModule[], query: string): ReadableModule[] {
  const others = modules.filter((module) => module.isOwnDocs !== true || isMentioned(query, module));
  return others.length === 0 ? modules : others;
}

/** Search settings of libraries that a query names; fitted on the project's own questions. */
export const namedSettings = {
  /** A name that stands in this share of the passages of another library… */
  ordinaryShareMin: 0.003,
  /** …of at least this share of the other libraries is an ordinary word. */
  ordinaryLibrariesMin: 0.34,
  /** What a library gains that is likely meant: an ordinary word is its whole name, or the person chose it before. */
  likelyFactor: 1.5,
  /** The best passage covers at least this share of what is asked, or others are searched too. */
  coverageMin: 0.34,
  /** An ordinary word that begins the query is a name where the best passage covers this share. */
  firstCoverageMin: 0.6,
  /**
   * Nothing fits where the best passage covers less of what is asked and is of no library that the query names; fitted on
   * questions that no documentation answers.
   */
  fitMin: 0.35,
  /** The same where the query begins with the name of a well-known library of which nothing is indexed. */
  absentFitMin: 0.6,
  /** Documentation that says a library's name in this share of its passages is about it: own names reach 0.07 and more, others 0.04. */
  ownShareMin: 0.05,
  /** No passage covers much of a text of more words, such as a task that was pasted: it is not measured by that. */
  coverageWordsMax: 25,
};

type Find = (among: ModuleView[], names: string[]) => Promise<Candidate[]>;

/** Searches the libraries that the query names, and the others only where these have nothing that fits. */
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

/** Returns true if the best passage has at least this share of what is asked. */
function covers([best]: Candidate[], share: number, { text }: ParsedQuery): boolean {
  if (best === undefined) return false;
  return best.coverage >= share || text.split(' ').length > namedSettings.coverageWordsMax;
}

/** Searches the libraries that are likely meant alone where the best passage is of one of them, else all. */
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

/** Who names the module has chosen its version too. */
async function pinsFor(ctx: Context, { module }: SearchDocsInput, readable: ReadableModule[]) {
  return isNamed(module) ? new Map<string, LibraryPin>() : findPins(ctx, readable);
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

/** Looks like the name of something in a program: `a_b`, `aB`, `AbcDef`, `a.b`, `a::b`, `a#b`, `a->b`, `a()`, `--a-b`. */
const written =
  /(?<![\p{L}\p{N}_$./@:-])(?:--\p{L}[\p{L}\p{N}]*(?:-[\p{L}\p{N}]+)*|[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#|->)[\p{L}_$][\p{L}\p{N}_$]*)*(?:\(\))?)(?![\p{L}\p{N}_/@:-]|\.[\p{L}\p{N}])/gu;
const sign = /^--|[\p{L}\p{N}]_[\p{L}\p{N}]|\p{Ll}\p{Lu}|\p{L}(?:\.|::|#|->)\p{L}|\(\)$/u;
const separator = /::|->|[.#]/;
const charactersMin = 4;
const namesMax = 3;
/** A longer text is a task with code of its own, whose names are in no documentation. */
const queryCharactersMax = 200;

/**
 * The names in the query that stand nowhere in these modules, as they are written: of a name with qualifiers its last part, which
 * may be inherited or imported. A name that is part of a longer one in the passages found (`SameSite`, `sameSiteCookies`) stands
 * there. At most three.
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
