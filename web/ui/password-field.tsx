import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { classNames } from './class-names.ts';
import { TextField } from './field.tsx';

type PasswordFieldProps = Omit<ComponentProps<typeof TextField>, 'type' | 'after'>;

/** A password field with a button that reveals the text. */
export function PasswordField(props: PasswordFieldProps) {
  const [isShown, setIsShown] = useState(false);
  return (
    <TextField
      {...props}
      type={isShown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      after={<PasswordSwitch isShown={isShown} onChange={setIsShown} className="absolute top-1 right-1" />}
    />
  );
}

interface PasswordSwitchProps {
  isShown: boolean;
  onChange: (isShown: boolean) => void;
  /** Positions the button over the field. */
  className: string;
}

/** The button that reveals a typed password. */
export function PasswordSwitch({ isShown, onChange, className }: PasswordSwitchProps) {
  return (
    <button
      type="button"
      aria-label={isShown ? 'Hide password' : 'Show password'}
      aria-pressed={isShown}
      onClick={() => onChange(!isShown)}
      className={classNames(
        'flex size-7 items-center justify-center rounded-sm text-faint hover:bg-hover hover:text-ink',
        className,
      )}
    >
      {isShown ? <EyeOff aria-hidden className="size-4" /> : <Eye aria-hidden className="size-4" />}
    </button>
  );
}
