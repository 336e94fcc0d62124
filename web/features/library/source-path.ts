import type { ListedSource } from './listed-sources.ts';

/** Returns a source's path. It includes the visibility if the same id is both private and public. */
export function sourcePath({ moduleId, visibility, kind, module, lastRun }: ListedSource): string {
  // A set that was never indexed has no page to show yet.
  if (kind === 'pdf' && module === undefined && lastRun === undefined) return '/resources?tab=pdf-sets';
  const path = `/resources/${encodeURIComponent(moduleId)}`;
  return visibility === 'public' ? path : `${path}?visibility=private`;
}

/** Returns the source that an address refers to. */
export function findSource(
  sources: ListedSource[],
  moduleId: string,
  visibility: string | null,
): ListedSource | undefined {
  const named = sources.filter((source) => source.moduleId === moduleId);
  return named.find((source) => source.visibility === visibility) ?? named[0];
}

/** Returns the search screen's path for a search of one module. */
export function searchPath(moduleId: string, query?: string): string {
  return `/search?${new URLSearchParams({ ...(query ? { q: query } : {}), module: moduleId })}`;
}
