import { percentDecoded } from '#contract/lenient.ts';

/** A parsed repository address: its location and, for a page at its host, the branch or folder. */
export interface GitAddress {
  /** `https://host/owner/name` with its original ending, `ssh://…` or `user@host:path`. */
  url: string;
  /** A branch or tag, as far as the address tells: of a name with slashes only the first part. */
  refName?: string;
  folder?: string;
}

/** The address format of a code host: repositories, branches or tags, and folders. */
interface Host {
  matches: RegExp;
  /** True if repository paths can have more than two parts (nested groups). */
  hasGroups: boolean;
  /** Matches the path of a folder's page after the repository's path. */
  tree: RegExp;
  /** First path segments that are not owners of repositories. */
  reserved: ReadonlySet<string>;
}

const words = (text: string) => new Set(text.split(' '));

const hosts: Host[] = [
  {
    matches: /^(?:www\.)?github\.com$/,
    hasGroups: false,
    tree: /^tree\/([^/]+)(?:\/(.+))?$/,
    reserved: words(
      'about account apps codespaces collections contact customer-stories dashboard enterprise events explore features gist issues join login logout marketplace mcp new notifications organizations orgs pricing pulls readme resources search security sessions settings signup site solutions sponsors stars team topics trending users why-github',
    ),
  },
  {
    matches: /^gitlab\./,
    hasGroups: true,
    tree: /^-\/tree\/([^/]+)(?:\/(.+))?$/,
    reserved: words(
      '- admin api dashboard explore groups help jwt oauth profile projects public search snippets users',
    ),
  },
  {
    matches: /^codeberg\.org$/,
    hasGroups: false,
    tree: /^src\/(?:branch|tag)\/([^/]+)(?:\/(.+))?$/,
    reserved: words('- admin api explore issues org pulls repo user'),
  },
  {
    matches: /^bitbucket\.org$/,
    hasGroups: false,
    tree: /^src\/([^/]+)(?:\/(.+))?$/,
    reserved: words('account dashboard product repo site snippets support'),
  },
];

/**
 * Recognizes repository addresses: `git@host:path`, `ssh://…`, `git+https://…`, addresses ending in `.git`, and pages
 * of repositories and their folders at GitHub, GitLab, Codeberg and Bitbucket. Returns undefined for all others, such
 * as other pages of those hosts.
 */
export function parseGitAddress(text: string): GitAddress | undefined {
  if (/^[\w.-]+@[\w.-]+:(?!\/\/)\S+$/.test(text)) return { url: text };
  const isMarked = text.startsWith('git+');
  const url = URL.parse(isMarked ? text.slice('git+'.length) : text);
  if (url === null) return undefined;
  const refName = isMarked && url.hash.length > 1 ? percentDecoded(url.hash.slice(1)) : undefined;
  if (url.protocol === 'ssh:') return { url: withoutHash(url), refName };
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  if (isMarked || /\.git\/?$/.test(url.pathname)) {
    url.pathname = url.pathname.replace(/\/$/, '');
    return { url: withoutHash(url), refName };
  }
  const host = hosts.find(({ matches }) => matches.test(url.hostname));
  return host && url.search === '' ? pageOf(host, url) : undefined;
}

function pageOf(host: Host, url: URL): GitAddress | undefined {
  const path = percentDecoded(url.pathname).replace(/^\/+|\/+$/g, '');
  const parts = path.split('/');
  if (parts.length < 2 || host.reserved.has(parts[0] ?? '')) return undefined;
  const marker = host.hasGroups ? parts.indexOf('-') : 2;
  const length = marker < 0 ? parts.length : marker;
  const rest = parts.slice(length).join('/');
  const tree = host.tree.exec(rest);
  if (length < 2 || (rest !== '' && !tree)) return undefined;
  const repository = parts.slice(0, length).join('/');
  return {
    url: `https://${url.host.replace(/^www\./, '')}/${repository}`,
    ...(tree?.[1] === undefined ? {} : { refName: tree[1] }),
    ...(tree?.[2] === undefined ? {} : { folder: tree[2] }),
  };
}

function withoutHash(url: URL): string {
  const copy = new URL(url);
  copy.hash = '';
  return copy.href;
}

/** Returns the host and path of a repository, equal for all forms of its address: `github.com/psf/requests`. */
export function repositoryKeyOf(url: string): string {
  const scp = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)(.+)$/.exec(url);
  const parsed = scp ? undefined : URL.parse(url);
  const [host = '', path = ''] = scp ? [scp[1], scp[2]] : [parsed?.host, parsed?.pathname];
  const bare = path.replace(/^\/+|\/+$/g, '').replace(/\.git$/i, '');
  return `${host.replace(/^ssh\./, '')}/${bare}`.toLowerCase();
}
