import { Field as BaseField } from '@base-ui/react/field';
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react';
import { classNames } from './class-names.ts';
import { inputClasses } from './input-classes.ts';

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'value' | 'defaultValue' | 'onChange'> {
  label: string;
  value: string;
  onValueChange: (value: string) => void;
  /** What to enter, shown below the field. */
  hint?: ReactNode;
  /** The error, read out with the field. */
  error?: string | undefined;
  isLabelHidden?: boolean;
  /** Overlaid at the end of the field. */
  after?: ReactNode;
}

export function TextField({
  label,
  hint,
  error,
  isLabelHidden,
  after,
  className,
  value,
  onValueChange,
  ...rest
}: TextFieldProps) {
  const line = useRef<HTMLDivElement>(null);
  const first = useRef({ value, onValueChange });
  // React keeps text typed before hydration in the field, but not in the state.
  useEffect(() => {
    const typed = line.current?.querySelector('input')?.value ?? '';
    if (typed !== '' && typed !== first.current.value) first.current.onValueChange(typed);
  }, []);
  return (
    <BaseField.Root invalid={error !== undefined} className={classNames('flex min-w-0 flex-col gap-1.5', className)}>
      <BaseField.Label className={isLabelHidden ? 'sr-only' : 'self-start font-medium text-ink text-sm'}>
        {label}
      </BaseField.Label>
      <div ref={line} className="relative">
        <BaseField.Control
          {...rest}
          value={value}
          onValueChange={onValueChange}
          className={classNames(inputClasses, after !== undefined && 'pr-10')}
        />
        {after}
      </div>
      {error === undefined ? (
        hint !== undefined && <BaseField.Description className="text-faint text-xs">{hint}</BaseField.Description>
      ) : (
        <BaseField.Error match role="alert" className="text-danger text-xs">
          {error}
        </BaseField.Error>
      )}
    </BaseField.Root>
  );
}
