import { compareVersions, isVersion, type ReadableModule } from '#server/features/catalog/index.ts';
import { type LibraryPin, nearestFirst } from '#server/features/profile/index.ts';
import { isCalled } from './library-names.ts';

/** The indexed versions of one library, and the version to search. */
export interface VersionChoice {
  chosen: ReadableModule;
  /** Newest stable first, including the chosen version. */
  versions: ReadableModule[];
  /** The version as the query writes it; undefined if it names none. */
  asked: string | undefined;
  /**
   * Set if no library of that name is indexed at the version the query names: the name as the query writes it, and the
   * indexed versions.
   */
  missing: { name: string; indexed: string[] } | undefined;
  /** The version that a lockfile pins, unless the query names another. */
  pin: LibraryPin | undefined;
  /** True if the user chose this version in the conversation and the query names no other. */
  isPicked: boolean;
}

export interface VersionedModules {
  modules: ReadableModule[];
  /** Libraries with several indexed versions, a pinned version, or not the version that the query names. */
  choices: VersionChoice[];
  /**
   * Versions in the query beside the name of a versioned library: they select the documentation and are not search
   * words. Beside the name of unversioned documentation they remain search words, which its release notes contain.
   */
  versionWords: string[];
}

/** Most words of a query examined for versions: each is compared with the names of all modules. */
const versionsLookedAtMax = 200;
const versionWord = /^v?(\d{1,4}(?:\.\d{1,5}){0,3}(?:\.x)?(?:[-.]?(?:a|alpha|b|beta|rc|pre|dev)\.?\d*)?)$/i;

/**
 * Chooses one version of each library: the version the query names beside the library ("django 4.2", "python3.11",
 * "react@18"), else the version picked in this conversation (`picked`: row ids), else the version nearest to a
 * lockfile's pin (`pins`, by row id), else the newest stable one. If the requested version is not indexed, the others
 * are searched. `readable` are all modules the caller can search: whether a version is missing does not depend on the
 * search's filter.
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
    // A pinned version may come from either scope; without a pin, private and public versions are chosen separately.
    const key = `${pinOf.has(module.library) ? 'pinned' : module.visibility} ${module.library}`;
    families.set(key, [...(families.get(key) ?? []), module]);
  }
  const named = versionsIn(query).slice(0, versionsLookedAtMax);
  const passedOver = new Set<ReadableModule>();
  const versionWords = new Set<string>();
  const choices = [...families.values()].flatMap((family) => {
    // Modules with the same version form one entry; modules with different versions are versions of the library.
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

/**
 * Returns the version to compare; a repository indexed without a branch or tag is at its newest commit, not a release.
 */
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
 * Returns true if a number beside the library's name can be a version even though only one version is indexed: false
 * for unversioned documentation, and for a number longer than the library's versions ("flask 404").
 */
function isSaidOf(versions: ReadableModule[], version: string): boolean {
  const [only, ...others] = versions;
  if (others.length > 0) return true;
  if (only === undefined || only.version === null) return false;
  const digits = /^\d+/.exec(only.version)?.[0].length ?? 0;
  return /\D/.test(version) || (digits > 0 && version.length <= Math.max(digits, 2));
}

/** Returns undefined if any library of that name is indexed at the version. */
function missingVersion(readable: ReadableModule[], { name, version }: NamedVersion): VersionChoice['missing'] {
  const known = newestFirst(readable.filter((module) => isCalled(module, name)));
  if (fittingVersions(known, version).length > 0) return undefined;
  return { name, indexed: [...new Set(known.flatMap((module) => module.version ?? []))] };
}

/** Returns the module that a filter `library@version` names; undefined if the filter names no version. */
export function versionsNamed(modules: ReadableModule[], filter: string): ReadableModule[] | undefined {
  const [, name = '', asked = ''] = /^(.+)@v?([\w.-]+)$/.exec(filter) ?? [];
  if (name === '') return undefined;
  const ofLibrary = modules.filter((module) => isNamed(module, name));
  return fittingVersions(newestFirst(ofLibrary), asked).slice(0, 1);
}

/** Returns true if the name refers to this module's library. */
export function isNamed(module: ReadableModule, name: string): boolean {
  return (
    [module.moduleId, module.displayName, module.library].some((one) => one.toLowerCase() === name) ||
    isCalled(module, name)
  );
}

function newestFirst(modules: ReadableModule[]): ReadableModule[] {
  return modules.toSorted((a, b) => compareVersions(versionKey(a), versionKey(b)));
}

/** Returns the exact matches if there are any, else all compatible versions. */
function fittingVersions(sorted: ReadableModule[], asked: string): ReadableModule[] {
  const exact = sorted.filter(({ version }) => version?.toLowerCase() === asked.toLowerCase());
  return exact.length > 0 ? exact : sorted.filter(({ version }) => isVersion(version, asked));
}

/** A library's name in the query, with the version beside it. */
interface NamedVersion {
  name: string;
  version: string;
  /** The part of the query that states the version, including the name if both are one word. */
  text: string;
}

/** Returns every word with a version in or after it; which of the words name a library is checked later. */
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
