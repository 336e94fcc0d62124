import type { ReadableModule } from '#server/features/library/index.ts';
import { compareVersions, isVersion } from './version-order.ts';

/** The versions of one library that are indexed, and the one that answers. */
export interface VersionChoice {
  chosen: ReadableModule;
  /** Newest stable first, the chosen one among them. */
  versions: ReadableModule[];
  /** As the query has it; undefined where it names none. */
  asked: string | undefined;
}

export interface VersionedModules {
  modules: ReadableModule[];
  /** Libraries of which more than one version is indexed. */
  choices: VersionChoice[];
}

/** Parts of addresses that many libraries share, so that they name none. */
const commonWords =
  /^(?:docs?|documentation|www|com|org|io|net|dev|en|latest|stable|guide|manual|reference|api|github|gitlab|readthedocs|html|v?\d.*)$/;
const versionWord = /^v?(\d{1,4}(?:\.\d{1,5}){0,3}(?:\.x)?(?:[-.]?(?:a|alpha|b|beta|rc|pre|dev)\d*)?)$/i;

/**
 * One version of each library: the one the query names beside the library ("django 4.2", "python3.11", "react@18"), else
 * the newest stable one. A version that is not indexed leaves the newest stable one to answer.
 */
export function chooseVersions(modules: ReadableModule[], query: string): VersionedModules {
  const families = new Map<string, ReadableModule[]>();
  for (const module of modules) {
    const key = `${module.visibility} ${module.library}`;
    families.set(key, [...(families.get(key) ?? []), module]);
  }
  const choices = [...families.values()].flatMap((versions) => {
    if (versions.length < 2) return [];
    const sorted = newestFirst(versions);
    const asked = versionAsked(query, namesOf(sorted));
    const fitting = asked === undefined ? [] : fittingVersions(sorted, asked);
    const [chosen = fitting[0]] = fitting.length > 0 ? fitting : sorted;
    return chosen === undefined ? [] : [{ chosen, versions: sorted, asked }];
  });
  const passedOver = new Set(choices.flatMap(({ chosen, versions }) => versions.filter((one) => one !== chosen)));
  return { modules: modules.filter((module) => !passedOver.has(module)), choices };
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
    const [, attached = '', version = ''] = /^(.*?[^\d.@=-])[@=-]*v?(\d[\w.]*)$/.exec(word) ?? [];
    if (names.has(attached) && versionWord.test(version)) return version.replace(/\.$/, '');
    if (!names.has(word)) continue;
    const next = (words[at + 1] === 'version' ? words[at + 2] : words[at + 1])?.replace(/\.$/, '');
    const named = versionWord.exec(next ?? '')?.[1];
    if (named !== undefined) return named;
  }
  return undefined;
}
