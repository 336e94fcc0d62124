import { compareVersions, isVersion, type ReadableModule } from '#server/features/catalog/index.ts';
import { type LibraryPin, nearestFirst } from '#server/features/profile/index.ts';
import { isCalled } from './library-names.ts';

/** The versions of one library that are indexed, and the one that answers. */
export interface VersionChoice {
  chosen: ReadableModule;
  /** Newest stable first, the chosen one among them. */
  versions: ReadableModule[];
  /** As the query has it; undefined where it names none. */
  asked: string | undefined;
  /** Where nothing at all is indexed at the version the query names: what it calls the library, and the versions there are. */
  missing: { name: string; indexed: string[] } | undefined;
  /** What a lockfile pins, where the query does not name another version. */
  pin: LibraryPin | undefined;
  /** The person at the client chose it in this conversation, and the query names no other. */
  isPicked: boolean;
}

export interface VersionedModules {
  modules: ReadableModule[];
  /** Libraries of which more than one version is indexed, or one that is pinned or is not the one the query names. */
  choices: VersionChoice[];
  /**
   * Versions as the query has them beside the name of a library with versions: they say which documentation is meant, not what
   * it should say. Of documentation without versions they are words, which its release notes have.
   */
  versionWords: string[];
}

/** Versions of a query that may be a library's: each is compared with the names of all modules. */
const versionsLookedAtMax = 200;
const versionWord = /^v?(\d{1,4}(?:\.\d{1,5}){0,3}(?:\.x)?(?:[-.]?(?:a|alpha|b|beta|rc|pre|dev)\.?\d*)?)$/i;

/**
 * One version of each library: the one the query names beside the library ("django 4.2", "python3.11", "react@18"), else
 * the one that was picked in this conversation (`picked`: row ids), else the one nearest to what a lockfile pins (`pins`,
 * by row id), else the newest stable one. A version that is asked for and not indexed leaves the others to answer. `readable` is all that
 * could be searched: whether a version is missing does not depend on what the search is limited to.
 */
export function chooseVersions(
  modules: ReadableModule[],
  query: string,
  pins: ReadonlyMap<string, LibraryPin> = new Map(),
  picked: ReadonlySet<string> = new Set(),
  readable: ReadableModule[] = modules,
): VersionedModules {
  const pinOf = new Map(
    modules.flatMap(({ rowId, library }) => {
      const pin = pins.get(rowId);
      return pin === undefined ? [] : [[library, pin] as const];
    }),
  );
  const families = new Map<string, ReadableModule[]>();
  for (const module of modules) {
    // The pinned version is wanted wherever it is; without a pin the workspace's own and the public one answer side by side.
    const key = `${pinOf.has(module.library) ? 'pinned' : module.visibility} ${module.library}`;
    families.set(key, [...(families.get(key) ?? []), module]);
  }
  const named = versionsIn(query).slice(0, versionsLookedAtMax);
  const passedOver = new Set<ReadableModule>();
  const versionWords = new Set<string>();
  const choices = [...families.values()].flatMap((family) => {
    // Documents of one version stand beside each other; of several they are versions of one library.
    const versions = [...new Map(family.toReversed().map((module) => [versionKey(module), module])).values()];
    const beside = named.find(({ name }) => versions.some((module) => isCalled(module, name)));
    if (beside !== undefined && isSaidOf(newestFirst(versions), beside.version)) versionWords.add(beside.text);
    const choice = choiceAmong(versions, readable, beside, pinOf.get(versions[0]?.library ?? ''), picked);
    if (choice === undefined) return [];
    for (const one of family) if (versionKey(one) !== versionKey(choice.chosen)) passedOver.add(one);
    return [choice];
  });
  return { modules: modules.filter((module) => !passedOver.has(module)), choices, versionWords: [...versionWords] };
}

/** A repository that is read without a branch or tag is at its newest commit, which is no release. */
function versionKey({ kind, version }: ReadableModule): string | null {
  return kind === 'git' ? (version ?? 'head') : version;
}

function choiceAmong(
  versions: ReadableModule[],
  readable: ReadableModule[],
  named: NamedVersion | undefined,
  pinned: LibraryPin | undefined,
  picked: ReadonlySet<string>,
): VersionChoice | undefined {
  if (versions.length < 2 && pinned === undefined && named === undefined) return undefined;
  const sorted = newestFirst(versions);
  const missing = named === undefined || !isSaidOf(sorted, named.version) ? undefined : missingVersion(readable, named);
  if (versions.length < 2 && pinned === undefined && missing === undefined) return undefined;
  const asked = named?.version;
  const fitting = asked === undefined ? [] : fittingVersions(sorted, asked);
  const inConversation = fitting.length > 0 ? [] : sorted.filter(({ rowId }) => picked.has(rowId));
  const isPicked = inConversation.length > 0;
  const pin = fitting.length > 0 || isPicked ? undefined : pinned;
  const meant = isPicked ? inConversation : fitting;
  const [chosen] = meant.length > 0 ? meant : pin === undefined ? sorted : nearestFirst(sorted, pin.version);
  return chosen === undefined ? undefined : { chosen, versions: sorted, asked, missing, pin, isPicked };
}

/**
 * Returns true if a number beside the name can be a version where nothing else is indexed to compare it with: not of documentation without a version, and not a number that is longer than its
 * versions ("flask 404").
 */
function isSaidOf(versions: ReadableModule[], version: string): boolean {
  const [only, ...others] = versions;
  if (others.length > 0) return true;
  if (only === undefined || only.version === null) return false;
  const digits = /^\d+/.exec(only.version)?.[0].length ?? 0;
  return /\D/.test(version) || (digits > 0 && version.length <= Math.max(digits, 2));
}

/** Undefined where something of that name is indexed at the version, in whatever library. */
function missingVersion(readable: ReadableModule[], { name, version }: NamedVersion): VersionChoice['missing'] {
  const known = newestFirst(readable.filter((module) => isCalled(module, name)));
  if (fittingVersions(known, version).length > 0) return undefined;
  return { name, indexed: [...new Set(known.flatMap((module) => module.version ?? []))] };
}

/** The modules of `library@version`, as a filter names them; undefined when the filter names no version. */
export function versionsNamed(modules: ReadableModule[], filter: string): ReadableModule[] | undefined {
  const [, name = '', asked = ''] = /^(.+)@v?([\w.-]+)$/.exec(filter) ?? [];
  if (name === '') return undefined;
  const ofLibrary = modules.filter((module) => isNamed(module, name));
  return fittingVersions(newestFirst(ofLibrary), asked).slice(0, 1);
}

/** Returns true if people mean this module's library by the name. */
export function isNamed(module: ReadableModule, name: string): boolean {
  return (
    [module.moduleId, module.displayName, module.library].some((one) => one.toLowerCase() === name) ||
    isCalled(module, name)
  );
}

function newestFirst(modules: ReadableModule[]): ReadableModule[] {
  return modules.toSorted((a, b) => compareVersions(versionKey(a), versionKey(b)));
}

/** An exact fit alone, else all that fit. */
function fittingVersions(sorted: ReadableModule[], asked: string): ReadableModule[] {
  const exact = sorted.filter(({ version }) => version?.toLowerCase() === asked.toLowerCase());
  return exact.length > 0 ? exact : sorted.filter(({ version }) => isVersion(version, asked));
}

/** A library as the query calls it, and the version beside it. */
interface NamedVersion {
  name: string;
  version: string;
  /** What of the query says the version; with the name where they are one word. */
  text: string;
}

/** Every word with a version in or after it: which of them name a library is not known here. */
function versionsIn(query: string): NamedVersion[] {
  const words = query.toLowerCase().split(/[\s,;:()"'`?!/]+/);
  return words.flatMap((word, at) => {
    const [, attached = '', version = ''] = /^(.*?[^\d.@=-])[@=-]*v?(\d[\w.-]*)$/.exec(word) ?? [];
    const next = (words[at + 1] === 'version' ? words[at + 2] : words[at + 1])?.replace(/\.$/, '');
    const following = versionWord.exec(next ?? '')?.[1];
    return [
      ...(versionWord.test(version) ? [{ name: attached, version: version.replace(/\.$/, ''), text: word }] : []),
      ...(following === undefined ? [] : [{ name: word, version: following, text: following }]),
    ];
  });
}
