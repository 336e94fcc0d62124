import type { ListedSource } from './listed-sources.ts';

/** The page of one source. The address says which is meant where the same id is private and public. */
export function sourcePath({ moduleId, visibility, kind, module, lastRun }: ListedSource): string {
  // A set that was never indexed has nothing of its own to show yet.
  if (kind === 'pdf' && module === undefined && lastRun === undefined) return '/resources?tab=pdf-sets';
  const path = `/resources/${encodeURIComponent(moduleId)}`;
  return visibility === 'public' ? path : `${path}?visibility=private`;
}

/** The source an address means. */
export function findSource(
  sources: ListedSource[],
  moduleId: string,
  visibility: string | null,
): ListedSource | undefined {
  const named = sources.filter((source) => source.moduleId === moduleId);
  return named.find((source) => source.visibility === visibility) ?? named[0];
}

/** The search screen, looking into one module alone. */
export function searchPath(moduleId: string, query?: string): string {
  return `/search?${new URLSearchParams({ ...(query ? { q: query } : {}), module: moduleId })}`;
}
