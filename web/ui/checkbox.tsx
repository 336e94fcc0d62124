import { Checkbox as BaseCheckbox } from '@base-ui/react/checkbox';
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
      <BaseCheckbox.Root
        checked={isChecked}
        onCheckedChange={onChange}
        aria-labelledby={`${id}-label`}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        className="mt-px flex size-[1.125rem] items-center justify-center rounded-xs border border-line-field bg-surface data-checked:border-action data-checked:bg-action"
      >
        <BaseCheckbox.Indicator className="text-on-action">
          <Check aria-hidden strokeWidth={3} className="size-3.5" />
        </BaseCheckbox.Indicator>
      </BaseCheckbox.Root>
      {/* The box itself is the control; this only widens its target for pointers. */}
      <span
        id={`${id}-label`}
        onClick={() => onChange(!isChecked)}
        className="cursor-default font-medium text-ink text-sm"
      >
        {label}
      </span>
      {hint !== undefined && (
        <span id={`${id}-hint`} className="col-start-2 text-faint text-xs">
          {hint}
        </span>
      )}
    </div>
  );
}
