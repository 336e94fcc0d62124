import type { RepositoryRef } from '#contract/hosting.ts';
import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { CodeHost } from '#server/platform/code-host/code-host.ts';

/** Returns `owner/name`, from such a text or the address of a repository at this host. */
export function repositoryNameOf(text: string, { url }: Pick<CodeHost, 'url'>): string {
  const path = URL.canParse(text) && text.startsWith(`${url}/`) ? text.slice(url.length + 1) : text;
  const name = /^([\w.-]{1,100}\/[\w.-]{1,100}?)(\.git)?\/?$/.exec(path)?.[1];
  if (name !== undefined && !name.split('/').some((part) => /^\.+$/.test(part))) return name;
  throw new AppError('hosting-repository-unreadable', { values: { repository: text } });
}

/** Returns a path below the root, without leading or trailing slash; empty for the whole repository. */
export function folderOf(text: string | undefined): string {
  const parts = (text ?? '').split('/').filter((part) => part !== '' && part !== '.');
  const isOdd = parts.some((part) => part === '..' || /[\\\p{Cc}]/u.test(part));
  if (isOdd) throw new AppError('invalid-input', { values: { reason: 'the folder is not a path in a repository' } });
  return parts.join('/');
}

/**
 * Returns a module id such as `github.com~psf~requests`; with branch or tag and folder only if they are not the
 * default.
 */
export function moduleIdOf(part: {
  host: Pick<CodeHost, 'url'>;
  fullName: string;
  defaultBranch: string;
  ref: RepositoryRef;
  folder: string;
}): string {
  const { host, fullName, defaultBranch, ref, folder } = part;
  const isDefault = ref.kind === 'branch' && ref.name === defaultBranch;
  const slug = [new URL(host.url).host, ...fullName.split('/'), ...(isDefault ? [] : [ref.name]), ...folder.split('/')]
    .map((text) =>
      text
        .toLowerCase()
        .replace(/[^a-z0-9._+-]+/g, '-')
        .replace(/^[^a-z0-9]+|-+$/g, ''),
    )
    .filter((text) => text !== '')
    .join('~');
  return slug.slice(0, limits.moduleIdCharactersMax);
}
