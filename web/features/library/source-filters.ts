import type { Sorting } from '../../ui/table.tsx';
import { kindLabels, type ListedSource, needsAttention, type SourceState } from './listed-sources.ts';

export const stateFilters = ['all', 'attention', 'running', 'ready'] as const;
export const kindFilters = ['all', 'site', 'git', 'pdf', 'folder'] as const;
export const visibilityFilters = ['all', 'private', 'public'] as const;

/** Filters in the list's address. */
export interface SourceFilters {
  words: string;
  state: (typeof stateFilters)[number];
  kind: (typeof kindFilters)[number];
  visibility: (typeof visibilityFilters)[number];
  sorting: Sorting | undefined;
}

const usualSorting: Sorting = { columnId: 'name', direction: 'ascending' };
const sortedBy = ['name', 'state', 'pages', 'snippets', 'tokens', 'updated'];

/** Reads the filters from the address; invalid values count as missing. */
export function readSourceFilters(params: URLSearchParams): SourceFilters {
  return {
    words: params.get('filter') ?? '',
    state: oneOf(stateFilters, params.get('state')),
    kind: oneOf(kindFilters, params.get('kind')),
    visibility: oneOf(visibilityFilters, params.get('visibility')),
    sorting: readSorting(params.get('sort')),
  };
}

/** Returns the address parameters for the filters; '' for defaults. */
export function writeSourceFilters({ words, state, kind, visibility, sorting }: SourceFilters): Record<string, string> {
  const unlessAll = (value: string) => (value === 'all' ? '' : value);
  const sort = writeSorting(sorting);
  return {
    filter: words,
    state: unlessAll(state),
    kind: unlessAll(kind),
    visibility: unlessAll(visibility),
    sort: sort === writeSorting(usualSorting) ? '' : sort,
  };
}

export function isFiltered({ words, state, kind, visibility }: SourceFilters): boolean {
  return words.trim() !== '' || state !== 'all' || kind !== 'all' || visibility !== 'all';
}

/** Returns the sources that pass every filter; all words must occur in name, id or address. */
export function filterSources(sources: ListedSource[], filters: SourceFilters): ListedSource[] {
  const words = filters.words.toLowerCase().split(/\s+/).filter(Boolean);
  return sources.filter((source) => {
    if (filters.kind !== 'all' && source.kind !== filters.kind) return false;
    if (filters.visibility !== 'all' && source.visibility !== filters.visibility) return false;
    if (!isInState(source, filters.state)) return false;
    const text = `${source.displayName} ${source.moduleId} ${source.url} ${kindLabels[source.kind]}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function isInState(source: ListedSource, filter: SourceFilters['state']): boolean {
  switch (filter) {
    case 'all':
      return true;
    case 'attention':
      return needsAttention(source);
    case 'running':
      return source.state === 'running' || source.state === 'waiting';
    case 'ready':
      return source.module !== undefined;
  }
}

/** Sort order of the states; sources that need attention come first. */
export const stateOrder: Record<SourceState, number> = {
  failed: 0,
  lost: 1,
  stopped: 2,
  stale: 3,
  running: 4,
  waiting: 5,
  pending: 6,
  ready: 7,
};

function oneOf<const Value extends string>(values: readonly [Value, ...Value[]], text: string | null): Value {
  return values.find((value) => value === text) ?? values[0];
}

function readSorting(text: string | null): Sorting | undefined {
  if (text === null) return usualSorting;
  const columnId = text.replace(/^-/, '');
  if (!sortedBy.includes(columnId)) return text === 'none' ? undefined : usualSorting;
  return { columnId, direction: text.startsWith('-') ? 'descending' : 'ascending' };
}

function writeSorting(sorting: Sorting | undefined): string {
  if (sorting === undefined) return 'none';
  return `${sorting.direction === 'descending' ? '-' : ''}${sorting.columnId}`;
}
