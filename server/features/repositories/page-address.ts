import { parseRemote } from '#server/platform/git/index.ts';

/** How the hosts that are known by name write the address of a file. */
const forms: { matches: RegExp; address: (repository: string, ref: string, path: string) => string }[] = [
  { matches: /^github\.com$/, address: (repository, ref, path) => `${repository}/blob/${ref}/${path}` },
  { matches: /^gitlab\./, address: (repository, ref, path) => `${repository}/-/blob/${ref}/${path}` },
  { matches: /^bitbucket\.org$/, address: (repository, ref, path) => `${repository}/src/${ref}/${path}` },
];
const byBranchOrTag = /^(?:codeberg\.org|(?:gitea|forgejo)\..+)$/;

/**
 * Makes addresses of files: those of their pages at the host where its form is known, else `https://host/path.git/ref/file`, which
 * is as stable and as readable, and found by the person who reads it from the index.
 */
export function createPageAddresses(
  url: string,
  ref: { kind: 'branch' | 'tag'; name: string },
  folder: string | undefined,
): (path: string) => string {
  const remote = parseRemote(url);
  const host = remote.kind === 'web' ? remote.url.host : remote.hostname;
  const bare = (remote.kind === 'web' ? remote.url.pathname : encoded(remote.path))
    .replace(/^\/+|\/+$/g, '')
    .replace(/\.git$/, '');
  const scheme = remote.kind === 'web' ? remote.url.protocol : 'https:';
  const repository = `${scheme}//${host}/${bare}`;
  const name = encoded(ref.name);
  const place = folder === undefined ? '' : `${encoded(folder)}/`;
  const form = forms.find(({ matches }) => matches.test(host));
  if (form) return (path) => form.address(repository, name, `${place}${encoded(path)}`);
  if (byBranchOrTag.test(host)) return (path) => `${repository}/src/${ref.kind}/${name}/${place}${encoded(path)}`;
  return (path) => `${repository}.git/${name}/${place}${encoded(path)}`;
}

/** Escapes what would end a path; everything else stays as people read it. */
function encoded(path: string): string {
  return encodeURI(path).replace(/[?#]/g, encodeURIComponent);
}
