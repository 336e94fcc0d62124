/**
 * A repository as lockfiles write it (`git+https://host/owner/name?tag=v1#<revision>`), in words: its address, and the tag or branch
 * that was asked for, else the revision that was found.
 */
export function gitOrigin(source: string): string {
  const url = URL.parse(source.replace(/^git\+/, ''));
  if (url === null) return source;
  const [tag, branch] = ['tag', 'branch'].map((name) => url.searchParams.get(name) ?? undefined);
  const revision = url.hash.slice(1) || (url.searchParams.get('rev') ?? undefined);
  url.search = '';
  url.hash = '';
  return originOf({ address: url.href, tag, branch, revision });
}

export interface GitOrigin {
  address: string;
  tag?: string | undefined;
  branch?: string | undefined;
  revision?: string | undefined;
}

/** The same of its parts. */
export function originOf({ address, tag, branch, revision }: GitOrigin): string {
  if (tag) return `${address} at tag ${tag}`;
  if (branch) return `${address} at branch ${branch}`;
  return revision ? `${address} at revision ${revision.slice(0, 12)}` : address;
}
