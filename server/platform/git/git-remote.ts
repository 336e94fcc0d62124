import { percentDecoded } from '#contract/lenient.ts';
import { GitError } from './git-error.ts';

export type GitCredential =
  | { kind: 'basic'; username: string; password: string }
  | { kind: 'ssh-key'; privateKey: string };

export interface GitRemote {
  /** `https://…`, `http://…`, `ssh://user@host/path` or `user@host:path`; without a password. */
  url: string;
  credential?: GitCredential;
}

/** The name of a branch or tag, without `refs/heads/` or `refs/tags/`. */
export interface GitRef {
  kind: 'branch' | 'tag';
  name: string;
}

export type ParsedRemote =
  | { kind: 'web'; url: URL }
  | { kind: 'shell'; user: string; hostname: string; port: number; path: string };

/**
 * Parses the address of a repository; throws GitError for anything else. No part of the result can be mistaken for an
 * option, a command or another transport.
 */
export function parseRemote(text: string): ParsedRemote {
  // None of the address forms may contain control characters or spaces.
  if (/[\u0000-\u0020\u007f]/.test(text) || text.startsWith('-')) throw notAnAddress(text);
  const scp = /^(?:([\w.-]+)@)?([\w.-]+):(?!\/\/)([^:].*)$/.exec(text);
  if (scp) return shellRemote(text, scp[1], scp[2] ?? '', 22, scp[3] ?? '');
  const url = URL.parse(text);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') {
    if (url.username !== '' || url.password !== '') {
      throw new GitError(
        'bad-repository-address',
        'Remove the user name and password from the address and store them as a credential instead.',
      );
    }
    url.hash = '';
    return { kind: 'web', url };
  }
  if (url?.protocol === 'ssh:') {
    if (url.password !== '') {
      throw new GitError('bad-repository-address', 'Remove the password from the address; store an SSH key instead.');
    }
    const user = percentDecoded(url.username) || undefined;
    return shellRemote(text, user, url.hostname, Number(url.port || 22), pathOf(url, text));
  }
  throw notAnAddress(text);
}

function pathOf(url: URL, text: string): string {
  try {
    return decodeURI(url.pathname);
  } catch {
    throw notAnAddress(text);
  }
}

function shellRemote(text: string, user = 'git', hostname: string, port: number, path: string): ParsedRemote {
  const isUsable =
    /^[A-Za-z0-9_][\w.-]*$/.test(user) &&
    /^(?:[A-Za-z0-9_][\w.-]*|\[[0-9a-f:.]+\])$/i.test(hostname) &&
    /^[\w~/.+@%-]+$/.test(path) &&
    !path.startsWith('-');
  if (!isUsable) throw notAnAddress(text);
  return { kind: 'shell', user, hostname: hostname.toLowerCase(), port, path };
}

function notAnAddress(text: string): GitError {
  const shown = JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
  return new GitError(
    'bad-repository-address',
    `${shown} is not a repository address. Use one such as https://host/owner/name or git@host:owner/name.git.`,
  );
}

/** Returns the full name of a branch or tag; throws GitError for an invalid name. */
export function fullNameOf({ kind, name }: GitRef): string {
  // git-check-ref-format(1)
  const isName =
    name.length > 0 &&
    name.length <= 255 &&
    !/[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|^[-/.]|[/.]$|\/\.|\.lock(?:\/|$)/.test(name) &&
    name !== '@';
  if (!isName) {
    throw new GitError('bad-ref-name', `${JSON.stringify(name.slice(0, 100))} cannot be the name of a ${kind}.`);
  }
  return `refs/${kind === 'branch' ? 'heads' : 'tags'}/${name}`;
}
