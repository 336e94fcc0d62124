import type { Actor } from '#server/context.ts';
import { askedName } from '#server/engine/index.ts';
import { isVersion, type ReadableModule, type UnreadableModule } from '#server/features/catalog/index.ts';
import { fitOf } from '#server/features/profile/index.ts';
import { countTokens } from '#server/ingest/split/tokens.ts';
import { BlobError } from '#server/platform/blobs/blobs.ts';
import type { Candidate } from './candidates.ts';
import type { VersionChoice } from './choose-versions.ts';
import { cleanLabel } from './clean-text.ts';
import { equalLibraries } from './equal-libraries.ts';
import { leastScoreOf, saysMoreThanHeadings } from './pack-hits.ts';
import type { ParsedQuery } from './parse-query.ts';
import { withAnchor } from './render.ts';
import type { FoundPassages } from './types.ts';

const namedModulesMax = 12;
const addressesNamedMax = 3;
/** If a name is missing from more libraries than this, they are not listed. */
const modulesSaidMax = 3;
/** Ranks at which a passage sent before is mentioned: it may contain the answer. */
const topRanks = 3;
/** Most tokens that a rendering adds to a note without passages. */
const noteFrameTokens = 12;

/** Shown if the configured model does not respond or failed its test. */
const wordsAloneNote = 'Ranked by words alone: the embedding model cannot be used now';

/** Lists the best passages sent before, so that the reader knows where the answer may be. */
function sentBeforeNote(found: Candidate[], sentBefore: Candidate[]): string[] {
  const best = found.slice(0, topRanks).filter((candidate) => sentBefore.includes(candidate));
  return best.length === 0 ? [] : [`Sent before: ${addressesOf(best)}`];
}

/**
 * Notes that the requested name may be on a page that is not indexed, if none of the best passages contains it and
 * their library is only partly indexed.
 */
function cutLibraryNote(candidates: Candidate[], modules: ReadableModule[], query: string): string[] {
  const cut = modules.filter(({ isCut }) => isCut === true);
  const libraryNames = cut.flatMap(({ moduleId, library, displayName }) => [
    moduleId,
    library,
    displayName.toLowerCase(),
  ]);
  // A member and what it belongs to: its own name alone is often that of other members too.
  const parts = cut.length === 0 ? undefined : askedName(query, libraryNames)?.slice(-2);
  const best = candidates.slice(0, topRanks);
  const isThere = ({ snippet, title }: Candidate) =>
    parts?.every((part) => libraryNames.includes(part) || hasName(snippet, title, part));
  if (parts === undefined || best.some(isThere)) return [];
  const answering = best.map(({ module }) => module.rowId);
  const meant = best.length === 0 ? cut : cut.filter(({ rowId }) => answering.includes(rowId));
  if (meant.length === 0) return [];
  return [
    `Not all pages are indexed, so this name may be missing (raise the page limit, or index parts of it): ${moduleList(meant)}`,
  ];
}

function hasName({ text, identifiers, headingPath }: Candidate['snippet'], title: string, name: string): boolean {
  return [title, ...headingPath, ...identifiers, text.replaceAll('\\', '')].some((one) =>
    one.toLowerCase().includes(name),
  );
}

/** Lists names that the documentation does not contain, so that the passages are not taken for an answer about them. */
function nowhereNote({ nowhere: { names, modules } }: FoundPassages): string[] {
  if (names.length === 0) return [];
  const said = names.map((name) => cleanLabel(name)).join(', ');
  const where = modules.length > modulesSaidMax ? 'what is indexed' : moduleList(modules);
  return [`Nowhere in ${where}: ${said}. It may be misspelled, be from another version, or not exist`];
}

/** Lists libraries that could not be searched, so that their absence is not taken for an answer. */
function notSearchedNote(unreadable: UnreadableModule[]): string[] {
  const [lost, away] = [false, true].map((isAway) =>
    unreadable.filter(({ fault }) => fault instanceof BlobError === isAway).map(({ module }) => module),
  );
  const notes: [string, ReadableModule[] | undefined][] = [
    ['Not searched, because the index cannot be read and must be rebuilt', lost],
    ['Not searched for now, because the index cannot be fetched; ask again later', away],
  ];
  return notes.flatMap(([note, modules = []]) => (modules.length === 0 ? [] : [`${note}: ${moduleList(modules)}`]));
}

/**
 * Lists other versions of the libraries that answer first, and says if the requested version is not indexed. Nothing if
 * the requested version answers, or if `pinnedNote` names the version that does.
 */
function otherVersionsNote(candidates: Candidate[], choices: VersionChoice[]): string[] {
  const first = new Set(candidates.slice(0, topRanks).map(({ module }) => module.rowId));
  const lines = choices.flatMap((choice) => {
    const { chosen, versions, asked, missing, pin, isPicked } = choice;
    if (!first.has(chosen.rowId)) return [];
    if (versions.length < 2)
      return isOffPin(choice) && isVersion(pin?.version ?? null, asked ?? '') ? [] : onlyLine(choice);
    const isSettled = asked === undefined && (pin !== undefined || isPicked);
    const isElsewhere = asked !== undefined && missing === undefined;
    if (isSettled || isElsewhere) return [];
    const others = moduleList(versions.filter((module) => module !== chosen));
    const absent = asked === undefined ? '' : `Version ${cleanLabel(asked, 30)} is not indexed. `;
    return [`${absent}Other versions, to name in module: ${others}`];
  });
  return [...new Set(lines)];
}

/** Notes that a library is indexed, but not in the version the query names. */
function onlyLine({ asked, missing }: VersionChoice): string[] {
  if (asked === undefined || missing === undefined) return [];
  const indexed = missing.indexed.slice(0, namedModulesMax).map((version) => cleanLabel(version, 30));
  return [`Version ${cleanLabel(asked, 30)} of ${missing.name} is not indexed, only ${indexed.join(', ')}`];
}

/** Lists libraries among the first answers whose version differs from the project's lockfile. */
function pinnedNote(candidates: Candidate[], choices: VersionChoice[]): string[] {
  const first = new Set(candidates.slice(0, topRanks).map(({ module }) => module.rowId));
  const off = choices.flatMap(({ chosen, pin }) => {
    if (pin === undefined || !first.has(chosen.rowId) || !isOffPin({ chosen, pin })) return [];
    const [name, pinned, known] = [pin.name, pin.version, chosen.version ?? ''].map((text) => cleanLabel(text, 40));
    return [`${name} pinned ${pinned}, answered from ${known}`];
  });
  return off.length === 0 ? [] : [off.join('; ')];
}

function isOffPin({ chosen, pin }: Pick<VersionChoice, 'chosen' | 'pin'>): boolean {
  const fit = pin === undefined ? 'exact' : fitOf(chosen.version, pin.version);
  return fit !== 'exact' && fit !== 'unversioned';
}

/** Notes that several libraries answer about equally well, if the query names none of them. */
function severalLibrariesNote(candidates: Candidate[], query: string): string[] {
  const equal = equalLibraries(candidates, query);
  if (equal.length === 0) return [];
  return [`Several libraries fit; name one in module: ${moduleList(equal.map(({ module }) => module))}`];
}

/** The part of an answer that its notes depend on. */
interface Shown {
  /** Best first, without those sent before. */
  candidates: Candidate[];
  sentBefore: Candidate[];
  /** True if the call names a module. */
  isFiltered: boolean;
  actor: Actor;
}

/** Returns the lines below the passages of an answer. */
export function searchNotes(found: FoundPassages, query: ParsedQuery, shown: Shown): string[] {
  const { candidates, sentBefore, isFiltered } = shown;
  const cut = cutLibraryNote(found.candidates, found.modules, query.text);
  return [
    ...notSearchedNote(found.unreadable),
    ...sentBeforeNote(found.candidates, sentBefore),
    ...(cut.length > 0 ? cut : nowhereNote(found)),
    ...pinnedNote(candidates, found.choices),
    ...otherVersionsNote(candidates, found.choices),
    ...(isFiltered ? [] : severalLibrariesNote(candidates, query.text)),
    ...(found.isModelAway ? [wordsAloneNote] : []),
  ];
}

/** Returns why there is no result, and the next step. */
export function nothingFoundNote(found: FoundPassages, query: ParsedQuery, shown: Shown): string {
  const { modules, nearest, unreadable } = found;
  const { candidates, sentBefore, isFiltered } = shown;
  const least = leastScoreOf(shown);
  if (candidates.some((one) => one.score >= least && saysMoreThanHeadings(one))) {
    return 'The budget is too small for a result. Ask again with a larger one.';
  }
  if (sentBefore.length > 0) {
    const addresses = addressesOf(sentBefore.slice(0, addressesNamedMax));
    return `All that matches was sent before: ${addresses}. Read an address to get it again, or use other words.`;
  }
  if (modules.length === 0) {
    return query.visibility === 'private'
      ? `You have no private documentation. Remove the private filter, or add some ${placeToAdd(shown, ' --private')}.`
      : `Nothing is indexed yet. Add documentation ${placeToAdd(shown)}.`;
  }
  const cut = cutLibraryNote([], modules, query.text);
  const missing = [...notSearchedNote(unreadable), ...cut].map((note) => ` ${note}.`);
  if (nearest.length > 0) return nothingFitsNote(found, isFiltered) + missing.join('');
  const where = isFiltered ? '' : ` Indexed: ${moduleList(modules)}.`;
  const other = isFiltered ? ', or search without module' : '';
  return `Nothing found. Use other words, such as names of functions, options or errors${other}.${where}${missing.join('')} Add documentation ${placeToAdd(shown)}.`;
}

/** Names how the caller can add documentation: the command line, the tool for agents, or the web page. */
function placeToAdd({ actor }: Shown, option = ''): string {
  if (actor.kind === 'operator') return `with "lectern index <url>${option}"`;
  const hasTool = 'mayAskToIndex' in actor && actor.mayAskToIndex === true;
  return `${hasTool ? 'with the index_source tool, or ' : ''}at /resources in the browser`;
}

/** Lists the nearest pages, in case the reader wants to read one anyway. */
function nothingFitsNote({ nearest, absent }: FoundPassages, isFiltered: boolean): string {
  const pages = [...new Map(nearest.map((candidate) => [candidate.pageKey, candidate])).values()];
  const titles = pages
    .slice(0, addressesNamedMax)
    .map(({ title, pageUrl }) => `${cleanLabel(title, 80)} ${withAnchor(pageUrl, '')}`);
  const why = absent === undefined ? 'Nothing fits this question' : `${absent} is not indexed, and nothing else fits`;
  return `${why}. Nearest pages: ${titles.join('; ')}. Ask with names of functions, options or errors, ${isFiltered ? 'without module, ' : ''}or add documentation.`;
}

/** Returns the note if it fits the budget, else a shorter one. */
export function fittingNote(note: string, budget: number): string {
  return countTokens(note) + noteFrameTokens <= budget ? note : 'Nothing found. Use other words.';
}

function moduleList(modules: ReadableModule[]): string {
  const names = modules.slice(0, namedModulesMax).map((module) => cleanLabel(module.moduleId));
  return names.join(', ') + (modules.length > names.length ? ` and ${modules.length - names.length} more` : '');
}

function addressesOf(candidates: Candidate[]): string {
  return candidates.map(({ pageUrl, snippet }) => withAnchor(pageUrl, snippet.anchor)).join(' ');
}
