import { useQuery } from '@tanstack/react-query';
import { modulesOptions } from '../../lib/library-queries.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { Explain } from '../../ui/explain.tsx';
import { formatCompact, formatCount } from '../../ui/quantities.ts';
import { Select, type SelectOption } from '../../ui/select.tsx';
import { budgetChoices, type SearchParams } from './search-params.ts';

const allModules = '';

interface SearchFiltersProps {
  params: SearchParams;
  onChange: (part: Partial<Omit<SearchParams, 'query'>>) => void;
}

export function SearchFilters({ params, onChange }: SearchFiltersProps) {
  const modules = useQuery(modulesOptions(useWorkspaceId())).data ?? [];
  const options: SelectOption[] = [
    { value: allModules, label: 'All modules' },
    ...modules
      .toSorted((a, b) => a.displayName.localeCompare(b.displayName))
      .map(({ moduleId, displayName, snippetCount }) => ({
        value: moduleId,
        label: displayName,
        note: formatCompact(snippetCount),
      })),
  ];
  // The address may name a module that is not there any more.
  if (params.moduleId !== undefined && !options.some(({ value }) => value === params.moduleId)) {
    options.push({ value: params.moduleId, label: params.moduleId });
  }
  return (
    <div className="flex min-w-0 flex-wrap gap-2">
      <Select
        label="In"
        value={params.moduleId ?? allModules}
        onChange={(value) => onChange({ moduleId: value === allModules ? undefined : value })}
        options={options}
        className="max-w-60"
      />
      <Select
        label="Budget"
        value={String(params.budgetTokens)}
        onChange={(value) => onChange({ budgetTokens: Number(value) })}
        options={budgetChoices(params.budgetTokens).map((tokens) => ({
          value: String(tokens),
          label: `${formatCount(tokens)} tokens`,
        }))}
      />
      <Explain term="Budget">The most tokens that a response may have. A larger budget brings more passages.</Explain>
    </div>
  );
}
