import { type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';

interface SwitchProps {
  label: ReactNode;
  hint?: ReactNode;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  isBusy?: boolean;
}

/** A setting that takes effect immediately. */
export function Switch({ label, hint, isOn, onChange, isBusy = false }: SwitchProps) {
  const id = useId();
  return (
    <div className="flex items-start justify-between gap-6">
      <div className="min-w-0">
        <span id={`${id}-label`} className="block font-medium text-ink text-sm">
          {label}
        </span>
        {hint !== undefined && (
          <span id={`${id}-hint`} className="mt-0.5 block text-faint text-xs">
            {hint}
          </span>
        )}
      </div>
      <button
        type="button"
        role="switch"
        aria-checked={isOn}
        aria-disabled={isBusy || undefined}
        aria-busy={isBusy || undefined}
        onClick={() => isBusy || onChange(!isOn)}
        aria-labelledby={`${id}-label`}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        className={classNames(
          'group relative mt-px flex h-6 w-10.5 shrink-0 rounded-full border border-line-field bg-sunken p-[3px] transition-colors duration-150 aria-checked:border-lamp aria-checked:bg-lamp',
          isBusy && 'cursor-progress opacity-60',
        )}
      >
        <span className="size-4 rounded-full bg-ink/70 transition-transform duration-150 group-aria-checked:translate-x-4.5 group-aria-checked:bg-canvas" />
      </button>
    </div>
  );
}
