import { compareVersions, isVersion, type ReadableModule } from '#server/features/library/index.ts';
import { type LibraryPin, nearestFirst } from '#server/features/profile/index.ts';

/** The versions of one library that are indexed, and the one that answers. */
export interface VersionChoice {
  chosen: ReadableModule;
  /** Newest stable first, the chosen one among them. */
  versions: ReadableModule[];
  /** As the query has it; undefined where it names none. */
  asked: string | undefined;
  /** What a lockfile pins, where the query does not name another version. */
  pin: LibraryPin | undefined;
  /** The person at the client chose it in this conversation, and the query names no other. */
  isPicked: boolean;
}

export interface VersionedModules {
  modules: ReadableModule[];
  /** Libraries of which more than one version is indexed, or one that is pinned. */
  choices: VersionChoice[];
}

/** Parts of addresses that many libraries share, so that they name none. */
const commonWords =
  /^(?:docs?|documentation|www|com|org|io|net|dev|en|latest|stable|guide|manual|reference|api|github|gitlab|readthedocs|html|v?\d.*)$/;
/** Words that titles of documentation and questions about it have in common. */
const wordsOfTitles =
  /^(?:the|and|for|our|your|an?|of|in|to|how|with|on|from|by|users?|language|programming|book|handbook|tutorials?|library|framework|module|package|project|tasks?|home|site|web|app|code|using)$/;
const versionWord = /^v?(\d{1,4}(?:\.\d{1,5}){0,3}(?:\.x)?(?:[-.]?(?:a|alpha|b|beta|rc|pre|dev)\.?\d*)?)$/i;

/**
 * One version of each library: the one the query names beside the library ("django 4.2", "python3.11", "react@18"), else
 * the one that was picked in this conversation (`picked`: row ids), else the one nearest to what a lockfile pins (`pins`,
 * by row id), else the newest stable one. A version that is asked for and not indexed leaves the others to answer.
 */
export function chooseVersions(
  modules: ReadableModule[],
  query: string,
  pins: ReadonlyMap<string, LibraryPin> = new Map(),
  picked: ReadonlySet<string> = new Set(),
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
  const choices = [...families.values()].flatMap(
    (versions) => choiceAmong(versions, query, pinOf.get(versions[0]?.library ?? ''), picked) ?? [],
  );
  const passedOver = new Set(choices.flatMap(({ chosen, versions }) => versions.filter((one) => one !== chosen)));
  return { modules: modules.filter((module) => !passedOver.has(module)), choices };
}

function choiceAmong(
  versions: ReadableModule[],
  query: string,
  pinned: LibraryPin | undefined,
  picked: ReadonlySet<string>,
): VersionChoice | undefined {
  if (versions.length < 2 && pinned === undefined) return undefined;
  const sorted = newestFirst(versions);
  const asked = versionAsked(query, namesOf(sorted));
  const fitting = asked === undefined ? [] : fittingVersions(sorted, asked);
  const inConversation = fitting.length > 0 ? [] : sorted.filter(({ rowId }) => picked.has(rowId));
  const isPicked = inConversation.length > 0;
  const pin = fitting.length > 0 || isPicked ? undefined : pinned;
  const named = isPicked ? inConversation : fitting;
  const [chosen] = named.length > 0 ? named : pin === undefined ? sorted : nearestFirst(sorted, pin.version);
  return chosen === undefined ? undefined : { chosen, versions: sorted, asked, pin, isPicked };
}

/** The modules of `library@version`, as a filter names them; undefined when the filter names no version. */
export function versionsNamed(modules: ReadableModule[], filter: string): ReadableModule[] | undefined {
  const [, name = '', asked = ''] = /^(.+)@v?([\w.-]+)$/.exec(filter) ?? [];
  if (name === '') return undefined;
  const ofLibrary = modules.filter((module) => isNamed(module, name));
  return fittingVersions(newestFirst(ofLibrary), asked).slice(0, 1);
}

/** Whether people mean this module's library by the name. */
export function isNamed(module: ReadableModule, name: string): boolean {
  return (
    [module.moduleId, module.displayName, module.library].some((one) => one.toLowerCase() === name) ||
    namesOf([module]).has(name)
  );
}

/** Whether a query names this module's library, in one of its words or whole. */
export function isMeantBy(query: string, module: ReadableModule): boolean {
  const asked = query.toLowerCase();
  const isWhole = [module.moduleId, module.displayName].some(
    (name) => name !== '' && asked.includes(name.toLowerCase()),
  );
  const names = namesOf([module]);
  return isWhole || asked.split(/[^\p{L}\p{N}+#]+/u).some((word) => names.has(word) && !wordsOfTitles.test(word));
}

/** A repository that is read without a branch or tag is at its newest commit, which is no release. */
function newestFirst(modules: ReadableModule[]): ReadableModule[] {
  const versionOf = ({ kind, version }: ReadableModule) => (kind === 'git' ? (version ?? 'head') : version);
  return modules.toSorted((a, b) => compareVersions(versionOf(a), versionOf(b)));
}

/** An exact fit alone, else all that fit. */
function fittingVersions(sorted: ReadableModule[], asked: string): ReadableModule[] {
  const exact = sorted.filter(({ version }) => version?.toLowerCase() === asked.toLowerCase());
  return exact.length > 0 ? exact : sorted.filter(({ version }) => isVersion(version, asked));
}

/** Words that stand for a library: of its address, its id and its name. */
function namesOf(modules: ReadableModule[]): Set<string> {
  const texts = modules.flatMap(({ library, moduleId, displayName }) => [library, moduleId, displayName]);
  const words = texts.flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}+#]+/u));
  // docs.djangoproject.com is where Django's documentation lies.
  const shorter = words.flatMap((word) => /^(.{3,})(?:project|js|lang|doc|docs)$/.exec(word)?.[1] ?? []);
  return new Set([...words, ...shorter].filter((word) => word.length > 1 && !commonWords.test(word)));
}

function versionAsked(query: string, names: Set<string>): string | undefined {
  const words = query.toLowerCase().split(/[\s,;:()"'`?!/]+/);
  for (const [at, word] of words.entries()) {
    const [, attached = '', version = ''] = /^(.*?[^\d.@=-])[@=-]*v?(\d[\w.-]*)$/.exec(word) ?? [];
    if (names.has(attached) && versionWord.test(version)) return version.replace(/\.$/, '');
    if (!names.has(word)) continue;
    const next = (words[at + 1] === 'version' ? words[at + 2] : words[at + 1])?.replace(/\.$/, '');
    const named = versionWord.exec(next ?? '')?.[1];
    if (named !== undefined) return named;
  }
  return undefined;
}
