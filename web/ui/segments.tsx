import { type ReactNode, useId } from 'react';

interface SegmentsProps<Choice extends string> {
  /** The group's accessible name. */
  label: string;
  value: Choice;
  options: readonly { value: Choice; label: string; icon?: ReactNode }[];
  onChange: (value: Choice) => void;
}

/** A choice of a few options, all visible. */
export function Segments<Choice extends string>({ label, value, options, onChange }: SegmentsProps<Choice>) {
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className="inline-flex flex-wrap rounded-md border border-line bg-sunken p-0.5"
    >
      {options.map((option) => (
        <label
          key={option.value}
          className="relative flex h-7 cursor-default select-none items-center gap-2 rounded-sm border border-transparent px-3 font-medium text-sm text-soft hover:text-ink has-checked:border-line has-checked:bg-surface has-checked:text-ink has-checked:shadow-sm dark:has-checked:bg-raised"
        >
          {/* As large as its segment, so that the focus ring surrounds it. */}
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 appearance-none rounded-sm"
          />
          {option.icon}
          {option.label}
        </label>
      ))}
    </div>
  );
}
