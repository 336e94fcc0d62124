import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { useId } from 'react';

interface CheckboxProps {
  label: ReactNode;
  hint?: ReactNode;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
}

export function Checkbox({ label, hint, isChecked, onChange }: CheckboxProps) {
  const id = useId();
  return (
    <div className="grid grid-cols-[auto_1fr] items-start gap-x-2.5">
      <span className="relative mt-px flex size-[1.125rem] items-center justify-center">
        <input
          type="checkbox"
          id={id}
          checked={isChecked}
          onChange={(event) => onChange(event.target.checked)}
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
          className="absolute inset-0 appearance-none rounded-xs border border-line-field bg-surface checked:border-action checked:bg-action"
        />
        {isChecked && (
          <Check aria-hidden strokeWidth={3} className="pointer-events-none relative size-3.5 text-on-action" />
        )}
      </span>
      <label htmlFor={id} className="cursor-default font-medium text-ink text-sm">
        {label}
      </label>
      {hint !== undefined && (
        <span id={`${id}-hint`} className="col-start-2 text-faint text-xs">
          {hint}
        </span>
      )}
    </div>
  );
}
