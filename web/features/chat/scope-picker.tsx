import { useQuery } from '@tanstack/react-query';
import { modulesOptions } from '../../lib/library-queries.ts';
import { Select } from '../../ui/select.tsx';

interface ScopePickerProps {
  workspace: string;
  isDemo: boolean;
  moduleId: string | undefined;
  onChange: (moduleId: string | undefined) => void;
}

const everything = '*';

/** Selects the documentation to ask: everything the user may read, or one module. */
export function ScopePicker({ workspace, isDemo, moduleId, onChange }: ScopePickerProps) {
  const modules = useQuery(modulesOptions(workspace));
  const offered = modules.data?.filter(({ visibility }) => !isDemo || visibility === 'public') ?? [];
  const options = [
    { value: everything, label: 'All documentation' },
    ...offered.map(({ moduleId: value, displayName, visibility }) => ({
      value,
      label: displayName,
      ...(visibility === 'private' ? { note: 'private' } : {}),
    })),
  ];
  if (moduleId !== undefined && !offered.some((module) => module.moduleId === moduleId)) {
    options.push({ value: moduleId, label: moduleId });
  }
  return (
    <Select
      label="Ask"
      options={options}
      value={moduleId ?? everything}
      onChange={(value) => onChange(value === everything ? undefined : value)}
      className="max-w-full border-transparent! shadow-none!"
    />
  );
}
