import type { Source } from './source.ts';

/** Which library a module documents, and at which version. */
interface LibraryVersion {
  /** The same for all versions of one library: its address without the part that names the version. */
  library: string;
  /** As its makers write it, without a leading `v`; null where the source does not say. */
  version: string | null;
}

/** A part of an address that can name nothing but a version. */
const versionPart =
  /^(?:v?\d{1,4}(?:\.\d{1,5}){0,3}(?:\.x)?(?:[-.]?(?:a|alpha|b|beta|rc|pre|dev)[-.]?\d*)?|stable|latest|current|main|master|dev|devel|next|nightly|canary|unstable)$/i;
/** Hosts such as `v2.docs.example` keep a version to themselves. */
const versionHost = /^(v\d+(?:[.-]\d+)*)\.(.+\..+)$/i;

/**
 * The library and version of a source: as they were given, else as the address says (a part of a site's path, the tag or
 * branch of a repository). Documentation that is not at a place of its own for each version has none.
 */
export function libraryVersionOf(source: Source, moduleId: string): LibraryVersion {
  const told = fromAddress(source, moduleId);
  return { library: source.library ?? told.library, version: source.version ?? told.version };
}

function fromAddress(source: Source, moduleId: string): LibraryVersion {
  if (source.kind === 'site') return fromSite(new URL(source.url));
  if (source.kind !== 'git') return { library: moduleId, version: null };
  const { host, pathname } = URL.canParse(source.url) ? new URL(source.url) : { host: '', pathname: source.url };
  const parts = pathname.replace(/\.git$/, '').split('/');
  const library = [host, ...parts, ...(source.folder ?? '').split('/')].filter((part) => part !== '').join('~');
  return { library: library.toLowerCase(), version: source.ref === undefined ? null : versionOfRef(source.ref.name) };
}

function fromSite(url: URL): LibraryVersion {
  const ofHost = versionHost.exec(url.host);
  if (ofHost !== null) return { library: joined(ofHost[2] ?? '', partsOf(url)), version: plain(ofHost[1] ?? '') };
  const parts = partsOf(url);
  const at = parts.findLastIndex((part) => versionPart.test(part));
  if (at < 0) return { library: joined(url.host, parts), version: null };
  return { library: joined(url.host, parts.toSpliced(at, 1)), version: plain(parts[at] ?? '') };
}

function partsOf({ pathname }: URL): string[] {
  const parts = pathname.split('/').filter((part) => part !== '');
  return /\.\w{2,5}$/.test(parts.at(-1) ?? '') && !versionPart.test(parts.at(-1) ?? '') ? parts.slice(0, -1) : parts;
}

function joined(host: string, parts: string[]): string {
  return [host, ...parts].join('~').toLowerCase();
}

/** `v1.2.3`, `release-1.2` and `package@1.2.3` are all tagged releases; other names stand for themselves. */
function versionOfRef(name: string): string {
  const number = /(?:^|[/@_-]|^v|[/@_-]v)(\d+(?:\.\d+)*(?:\.x)?(?:[-.]?(?:a|alpha|b|beta|rc|pre|dev)[-.]?\d*)?)$/i.exec(
    name,
  );
  return number?.[1] ?? name;
}

function plain(version: string): string {
  return version.replace(/^v(?=\d)/i, '').toLowerCase();
}

/** Names that projects give to what is not released yet. */
const unreleased = /^(?:main|master|trunk|dev|devel|develop|next|nightly|canary|unstable|edge|head)$/;
const release = /^(\d+(?:\.\d+)*)(?:\.x)?$/;
const preRelease = /^(\d+(?:\.\d+)*)[-.]?(?:a|alpha|b|beta|rc|pre|dev)[-.]?\d*$/;

/** The lower, the sooner a version stands for its library when no one names one. */
function standing(version: string | null): number {
  if (version === 'stable') return 0;
  if (version === null) return 1;
  if (release.test(version)) return 2;
  if (version === 'latest' || version === 'current') return 3;
  return preRelease.test(version) ? 4 : unreleased.test(version) ? 6 : 5;
}

/**
 * Orders versions: the newest stable one first, then older ones, then what is not released yet. Documentation without a
 * version of its own is that of the present release. `3` is the newest of the 3.x and goes before `3.11`.
 */
export function compareVersions(one: string | null, other: string | null): number {
  const [a, b] = [one?.toLowerCase() ?? null, other?.toLowerCase() ?? null];
  return standing(a) - standing(b) || compareNumbers(numbersOf(b), numbersOf(a)) || (b ?? '').localeCompare(a ?? '');
}

/** Returns true if a request for `asked` means `known`: the same, a release of that line, or the line of that release. */
export function isVersion(known: string | null, asked: string): boolean {
  if (known === null) return false;
  const [a, b] = [known.toLowerCase(), asked.toLowerCase()];
  return a === b || a.startsWith(`${b}.`) || (release.test(a) && b.startsWith(`${a.replace(/\.x$/, '')}.`));
}

function numbersOf(version: string | null): number[] {
  const numbers = /^\d+(?:\.\d+)*/.exec(version ?? '')?.[0];
  return numbers === undefined ? [] : numbers.split('.').map(Number);
}

/** A part that is not there stands for the newest there is. */
function compareNumbers(a: number[], b: number[]): number {
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const difference = (a[at] ?? Number.MAX_SAFE_INTEGER) - (b[at] ?? Number.MAX_SAFE_INTEGER);
    if (difference !== 0) return difference;
  }
  return 0;
}
