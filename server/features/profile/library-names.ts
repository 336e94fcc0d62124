import type { Ecosystem } from '#contract/profile.ts';
import { repositoryKeyOf } from '#server/features/catalog/index.ts';

/** Returns a name in the form in which its registry compares names; for a Go module without the `/v2` of its path. */
export function matchNameOf(ecosystem: Ecosystem, name: string): string {
  const lower = name.toLowerCase();
  switch (ecosystem) {
    case 'pypi':
      return lower.replace(/[-_.]+/g, '-');
    case 'crates':
      return lower.replaceAll('_', '-');
    case 'go':
      return lower.replace(/\/v\d+$/, '');
    default:
      return lower;
  }
}

/** The fields by which a module is compared. */
export interface NamedModule {
  moduleId: string;
  displayName: string;
  kind: 'site' | 'folder' | 'git' | 'pdf';
  url: string;
  library: string;
}

/** Parts of addresses that identify no library. */
const commonWords =
  /^(?:docs?|documentation|www|api|apis|com|org|io|net|dev|app|co|en|latest|stable|current|main|master|guides?|learn|manual|reference|github|gitlab|bitbucket|codeberg|readthedocs|pages|html|developers?|v?\d.*)$/;
/** Hosts with the documentation of many libraries, whose name is part of the path. */
const sharedHosts: Record<string, (path: string) => string | undefined> = {
  'docs.rs': (path) => /^\/([^/]+)/.exec(path)?.[1],
  'crates.io': (path) => /^\/crates\/([^/]+)/.exec(path)?.[1],
  'pkg.go.dev': (path) => /^\/([^@]+)/.exec(path)?.[1],
  'pypi.org': (path) => /^\/project\/([^/]+)/.exec(path)?.[1],
  'www.npmjs.com': (path) => /^\/package\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1],
  'rubydoc.info': (path) => /^\/gems\/([^/]+)/.exec(path)?.[1],
  'www.rubydoc.info': (path) => /^\/gems\/([^/]+)/.exec(path)?.[1],
};

/** Returns the names by which a lockfile may refer to a module's library, most reliable first. */
export function libraryNamesOf(module: NamedModule): string[] {
  const named = [module.moduleId.split('~')[0] ?? '', withoutVersion(module.displayName)];
  const placed =
    module.kind === 'git' ? repositoryNames(module.url) : module.kind === 'site' ? siteNames(module.url) : [];
  const names = [module.library, ...placed, ...named].flatMap((name) => {
    const lower = name.toLowerCase();
    return [lower, lower.replace(/[-_.]+/g, '-'), matchNameOf('go', lower)];
  });
  return [...new Set(names)].filter((name) => name !== '' && !commonWords.test(name));
}

function withoutVersion(displayName: string): string {
  return displayName.trim().replace(/\s+v?\d[\w.]*$/i, '');
}

/**
 * Returns the names of a repository: `github.com/psf/requests` is a Go module, `@psf/requests`, `psf/requests` or
 * `requests`.
 */
function repositoryNames(url: string): string[] {
  const key = repositoryKeyOf(url);
  const parts = key.split('/');
  const name = parts.at(-1) ?? '';
  const owned = parts.slice(1).join('/');
  return [key, `@${owned}`, owned, name, ...shortened(name)];
}

function siteNames(address: string): string[] {
  if (!URL.canParse(address)) return [];
  const { host, pathname } = new URL(address);
  const shared = sharedHosts[host]?.(pathname.replace(/(?<!\/)\/+$/, ''));
  if (shared !== undefined) return [shared];
  const labels = host.split(':')[0]?.split('.').slice(0, -1) ?? [];
  const parts = pathname.split('/').slice(1, 3);
  // `docs.astral.sh/uv` is about uv, `docs.pydantic.dev` about pydantic.
  return [...parts, ...labels].filter((word) => !commonWords.test(word)).flatMap((word) => [word, ...shortened(word)]);
}

/** Returns shorter forms: docs.djangoproject.com hosts Django's documentation, expressjs.com that of express. */
function shortened(word: string): string[] {
  const shorter = /^(.{3,}?)(?:project|[-.]?js|lang|docs?)$/i.exec(word)?.[1];
  return shorter === undefined ? [] : [shorter];
}
