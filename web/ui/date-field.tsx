import { useId } from 'react';

interface DateFieldProps {
  label: string;
  /** `yyyy-mm-dd`, or empty for no date. */
  value: string;
  onChange: (value: string) => void;
  min?: string | undefined;
  max?: string | undefined;
}

/** A date field with the label inside the frame, for filter rows. */
export function DateField({ label, value, onChange, min, max }: DateFieldProps) {
  const id = useId();
  return (
    <div className="inline-flex h-8 items-center gap-1.5 rounded-md border border-line-strong bg-surface pr-2 pl-2.5 text-sm shadow-sm focus-within:border-lamp focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-lamp">
      <label htmlFor={id} className="text-faint">
        {label}
      </label>
      <input
        id={id}
        type="date"
        value={value}
        min={min || undefined}
        max={max || undefined}
        onChange={(event) => onChange(event.target.value)}
        className="tabular h-full min-w-0 bg-transparent font-medium text-ink outline-none"
      />
    </div>
  );
}
