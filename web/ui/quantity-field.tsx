import { NumberField } from '@base-ui/react/number-field';
import { Minus, Plus } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';

interface QuantityFieldProps {
  label: string;
  value: number;
  onChange: (value: number) => void;
  max: number;
  hint?: ReactNode;
  /** The error, read out with the field. */
  error?: string | undefined;
}

/** A field for a whole number with step buttons. The minimum is 1; empty counts as 1. */
export function QuantityField({ label, value, onChange, max, hint, error }: QuantityFieldProps) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-medium text-ink text-sm">
        {label}
      </label>
      <NumberField.Root
        id={id}
        value={value}
        min={1}
        max={max}
        step={1}
        format={{ maximumFractionDigits: 0 }}
        onValueChange={(next) => onChange(Math.trunc(next ?? 1))}
      >
        <NumberField.Group
          className={classNames(
            'inline-flex h-9 items-stretch rounded-md border bg-surface shadow-sm focus-within:border-lamp focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-lamp',
            error === undefined ? 'border-line-field' : 'border-danger',
          )}
        >
          <NumberField.Decrement aria-label={`${label}: one less`} className={stepClasses}>
            <Minus aria-hidden className="size-4" />
          </NumberField.Decrement>
          <NumberField.Input
            aria-describedby={note === undefined ? undefined : `${id}-note`}
            aria-invalid={error !== undefined || undefined}
            className="tabular w-16 min-w-0 border-line border-x bg-transparent text-center font-medium text-base text-ink outline-none"
          />
          <NumberField.Increment aria-label={`${label}: one more`} className={stepClasses}>
            <Plus aria-hidden className="size-4" />
          </NumberField.Increment>
        </NumberField.Group>
      </NumberField.Root>
      {note !== undefined && (
        <p
          id={`${id}-note`}
          role={error && 'alert'}
          className={classNames('text-pretty text-xs', error ? 'text-danger' : 'text-faint')}
        >
          {note}
        </p>
      )}
    </div>
  );
}

const stepClasses =
  'flex w-9 select-none items-center justify-center text-soft hover:bg-hover hover:text-ink first:rounded-l-md last:rounded-r-md data-disabled:pointer-events-none data-disabled:opacity-40';
