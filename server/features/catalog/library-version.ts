import type { Source } from './source.ts';

/** The library that a module documents, and its version. */
interface LibraryVersion {
  /** Equal for all versions of one library: its address without the version. */
  library: string;
  /** As its authors write it, without a leading `v`; null if the source does not state one. */
  version: string | null;
}

/** Matches parts of an address that can only name a version. */
const versionPart =
  /^(?:v?\d{1,4}(?:\.\d{1,5}){0,3}(?:\.x)?(?:[-.]?(?:a|alpha|b|beta|rc|pre|dev)[-.]?\d*)?|stable|latest|current|main|master|dev|devel|next|nightly|canary|unstable)$/i;
/** Matches hosts such as `v2.docs.example` that serve a single version. */
const versionHost = /^(v\d+(?:[.-]\d+)*)\.(.+\..+)$/i;

/**
 * Returns the library and version of a source: as configured, else as its address states (a part of a site's path, the
 * tag or branch of a repository). The version is null if versions do not have separate addresses.
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

/**
 * Extracts the number from release tags such as `v1.2.3`, `release-1.2` and `package@1.2.3`; returns other names
 * unchanged.
 */
function versionOfRef(name: string): string {
  const number = /(?:^|[/@_-]|^v|[/@_-]v)(\d+(?:\.\d+)*(?:\.x)?(?:[-.]?(?:a|alpha|b|beta|rc|pre|dev)[-.]?\d*)?)$/i.exec(
    name,
  );
  return number?.[1] ?? name;
}

function plain(version: string): string {
  return version.replace(/^v(?=\d)/i, '').toLowerCase();
}

/** Names that projects use for unreleased versions. */
const unreleased = /^(?:main|master|trunk|dev|devel|develop|next|nightly|canary|unstable|edge|head)$/;
const release = /^(\d+(?:\.\d+)*)(?:\.x)?$/;
const preRelease = /^(\d+(?:\.\d+)*)[-.]?(?:a|alpha|b|beta|rc|pre|dev)[-.]?\d*$/;

/** Returns a version's rank for searches that name none; lower ranks are preferred. */
function standing(version: string | null): number {
  if (version === 'stable') return 0;
  if (version === null) return 1;
  if (release.test(version)) return 2;
  if (version === 'latest' || version === 'current') return 3;
  return preRelease.test(version) ? 4 : unreleased.test(version) ? 6 : 5;
}

/**
 * Orders versions: newest stable first, then older ones, then unreleased ones. Unversioned documentation counts as that
 * of the current release. `3` counts as the newest 3.x, before `3.11`.
 */
export function compareVersions(one: string | null, other: string | null): number {
  const [a, b] = [one?.toLowerCase() ?? null, other?.toLowerCase() ?? null];
  return standing(a) - standing(b) || compareNumbers(numbersOf(b), numbersOf(a)) || (b ?? '').localeCompare(a ?? '');
}

/**
 * Returns true if a request for `asked` matches `known`: equal, a release of that line, or the line of that release.
 */
export function isVersion(known: string | null, asked: string): boolean {
  if (known === null) return false;
  const [a, b] = [known.toLowerCase(), asked.toLowerCase()];
  return a === b || a.startsWith(`${b}.`) || (release.test(a) && b.startsWith(`${a.replace(/\.x$/, '')}.`));
}

function numbersOf(version: string | null): number[] {
  const numbers = /^\d+(?:\.\d+)*/.exec(version ?? '')?.[0];
  return numbers === undefined ? [] : numbers.split('.').map(Number);
}

/** A missing part counts as the newest. */
function compareNumbers(a: number[], b: number[]): number {
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const difference = (a[at] ?? Number.MAX_SAFE_INTEGER) - (b[at] ?? Number.MAX_SAFE_INTEGER);
    if (difference !== 0) return difference;
  }
  return 0;
}
