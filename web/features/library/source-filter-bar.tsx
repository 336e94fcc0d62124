import { Search } from 'lucide-react';
import { useFilterWords } from '../../kit/address-filters.ts';
import { inputClasses } from '../../ui/input-classes.ts';
import { Select } from '../../ui/select.tsx';
import type { ListedSource } from './listed-sources.ts';
import { filterSources, type SourceFilters, stateFilters } from './source-filters.ts';

const stateLabels = { all: 'All', attention: 'Needs attention', running: 'In progress', ready: 'Searchable' };
const kindOptions = [
  { value: 'all', label: 'All' },
  { value: 'site', label: 'Sites' },
  { value: 'git', label: 'Repositories' },
  { value: 'pdf', label: 'PDF sets' },
  { value: 'folder', label: 'Folders' },
];
const visibilityOptions = [
  { value: 'all', label: 'All' },
  { value: 'private', label: 'Private' },
  { value: 'public', label: 'Public' },
];

interface SourceFilterBarProps {
  /** All sources, for the counts. */
  sources: ListedSource[];
  filters: SourceFilters;
  onChange: (change: Partial<SourceFilters>) => void;
}

/** Filters for a long list of sources. */
export function SourceFilterBar({ sources, filters, onChange }: SourceFilterBarProps) {
  const [typed, setTyped] = useFilterWords(filters.words, (words) => onChange({ words }));
  const count = (state: SourceFilters['state']) => filterSources(sources, { ...filters, state }).length;
  return (
    <div role="search" aria-label="Filter sources" className="mb-3 flex flex-wrap items-center gap-2">
      <div className="relative min-w-0 flex-1 basis-56 sm:max-w-80">
        <Search aria-hidden className="pointer-events-none absolute top-2 left-2.5 size-4 text-faint" />
        <input
          type="search"
          aria-label="Filter by name or address"
          placeholder="Name or address"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && typed !== '' && setTyped('')}
          className={`${inputClasses} h-8! pl-8.5! text-sm!`}
        />
      </div>
      <Select
        label="State"
        value={filters.state}
        options={stateFilters.map((state) => ({
          value: state,
          label: stateLabels[state],
          note: String(count(state)),
        }))}
        onChange={(state) => onChange({ state: state as SourceFilters['state'] })}
      />
      <Select
        label="Kind"
        value={filters.kind}
        options={kindOptions}
        onChange={(kind) => onChange({ kind: kind as SourceFilters['kind'] })}
      />
      <Select
        label="Visibility"
        value={filters.visibility}
        options={visibilityOptions}
        onChange={(visibility) => onChange({ visibility: visibility as SourceFilters['visibility'] })}
      />
    </div>
  );
}
