import * as limits from '#contract/limits.ts';

/** Hosts on which the first two path segments name a repository. */
const forges = /^(?:(?:www\.)?github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|git\.sr\.ht)$/;
const shorthandHosts: Record<string, string> = {
  github: 'github.com',
  gitlab: 'gitlab.com',
  bitbucket: 'bitbucket.org',
};

/**
 * Returns the web address for an address in a package's metadata: `git+https:`, `git:`, `ssh:` and repository
 * shorthands become https. Undefined for other text.
 */
export function webAddressOf(
  text: string,
  as: 'repository' | 'page' = 'page',
): { url: string; isRepository: boolean } | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > limits.urlCharactersMax || /\s/.test(trimmed)) return undefined;
  const written = as === 'repository' ? expanded(trimmed) : trimmed;
  const https = written
    .replace(/^git\+/, '')
    .replace(/^(?:git|ssh):\/\/(?:[\w.-]+@)?/, 'https://')
    .replace(/^[\w.-]+@([\w.-]+):(?!\/)/, 'https://$1/');
  if (!URL.canParse(https)) return undefined;
  const url = new URL(https);
  if (!['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') return undefined;
  return forges.test(url.hostname) ? onForge(url) : onOwnHost(url, as);
}

/** Expands `owner/name` and `gitlab:owner/name`, npm's shorthands. */
function expanded(text: string): string {
  const [, host = 'github', path] = /^(?:(github|gitlab|bitbucket):)?([\w.-]+\/[\w.-]+)$/.exec(text) ?? [];
  return path === undefined ? text : `https://${shorthandHosts[host] ?? 'github.com'}/${path}`;
}

function onForge(url: URL): { url: string; isRepository: boolean } | undefined {
  const [owner, name, ...rest] = url.pathname.split('/').filter((part) => part !== '');
  if (owner === undefined || name === undefined) return undefined;
  // GitLab groups can be nested; a `-` segment ends the repository's path.
  const end = rest.findIndex((part) => ['-', 'tree', 'blob'].includes(part));
  const groups = url.hostname === 'gitlab.com' ? rest.slice(0, end < 0 ? undefined : end) : [];
  const path = [owner, name, ...groups].join('/').replace(/\.git$/, '');
  return { url: `https://${url.hostname.replace(/^www\./, '')}/${path}`, isRepository: true };
}

function onOwnHost(url: URL, as: 'repository' | 'page'): { url: string; isRepository: boolean } {
  const isRepository = as === 'repository' || url.pathname.endsWith('.git');
  url.hash = '';
  return { url: url.href, isRepository };
}
