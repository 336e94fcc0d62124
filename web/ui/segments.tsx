import { Radio } from '@base-ui/react/radio';
import { RadioGroup } from '@base-ui/react/radio-group';
import type { ReactNode } from 'react';

interface SegmentsProps<Choice extends string> {
  /** What is chosen, read out with the choices. */
  label: string;
  value: Choice;
  options: readonly { value: Choice; label: string; icon?: ReactNode }[];
  onChange: (value: Choice) => void;
}

/** One of a few, all of them in sight. */
export function Segments<Choice extends string>({ label, value, options, onChange }: SegmentsProps<Choice>) {
  return (
    <RadioGroup
      aria-label={label}
      value={value}
      onValueChange={onChange}
      className="inline-flex rounded-md border border-line bg-sunken p-0.5"
    >
      {options.map((option) => (
        <Radio.Root
          key={option.value}
          value={option.value}
          className="flex h-7 cursor-default select-none items-center gap-2 rounded-sm border border-transparent px-3 font-medium text-sm text-soft hover:text-ink data-checked:border-line data-checked:bg-surface data-checked:text-ink data-checked:shadow-sm dark:data-checked:bg-raised"
        >
          {option.icon}
          {option.label}
        </Radio.Root>
      ))}
    </RadioGroup>
  );
}
