import { Field as BaseField } from '@base-ui/react/field';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { inputClasses } from './input-classes.ts';

interface TextAreaProps {
  label: string;
  value: string;
  onValueChange: (value: string) => void;
  placeholder?: string;
  hint?: ReactNode;
  /** The error, read out with the field. */
  error?: string | undefined;
  className?: string;
}

/** A multi-line field for machine-readable text: no wrapping, no autocorrection. */
export function TextArea({ label, value, onValueChange, placeholder, hint, error, className }: TextAreaProps) {
  return (
    <BaseField.Root invalid={error !== undefined} className={classNames('flex min-w-0 flex-col gap-1.5', className)}>
      <BaseField.Label className="font-medium text-ink text-sm">{label}</BaseField.Label>
      <BaseField.Control
        render={<textarea rows={4} wrap="off" />}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder={placeholder}
        value={value}
        onValueChange={onValueChange}
        className={classNames(inputClasses, 'h-auto! py-2 font-mono text-xs!')}
      />
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
