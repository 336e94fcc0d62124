import { type FormEvent, useRef, useState } from 'react';
import { Link } from 'react-router';
import * as limits from '#contract/limits.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { PasswordSwitch } from '../../ui/password-field.tsx';
import { stayingForm } from '../../ui/staying-form.ts';
import { doorLinkClasses } from './door.tsx';

interface SignInFormProps {
  isBusy: boolean;
  onSubmit: (input: { email: string; password: string }) => void;
}

/**
 * E-mail and password. With one of them empty nothing is sent and focus stays in the first empty field. The fields have no
 * names: a browser that submits the page's form before the script runs would put them into the address.
 */
export function SignInForm({ isBusy, onSubmit }: SignInFormProps) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [isShown, setIsShown] = useState(false);
  const emailRef = useRef<HTMLInputElement>(null);
  const passwordRef = useRef<HTMLInputElement>(null);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (email.trim() === '') emailRef.current?.focus();
    else if (password === '') passwordRef.current?.focus();
    else onSubmit({ email: email.trim(), password });
  };

  return (
    <form {...stayingForm} onSubmit={submit} aria-label="Sign in with email" className="grid grid-cols-1 gap-4">
      <TextField
        ref={emailRef}
        label="Email"
        type="email"
        autoComplete="username"
        maxLength={limits.emailCharactersMax}
        value={email}
        onValueChange={setEmail}
      />
      <TextField
        ref={passwordRef}
        label="Password"
        type={isShown ? 'text' : 'password'}
        autoComplete="current-password"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={limits.passwordCharactersMax}
        value={password}
        onValueChange={setPassword}
        after={<span aria-hidden />}
        className="col-start-1 row-start-2"
      />
      <Button type="submit" look="action" isBusy={isBusy} className="row-start-3 w-full">
        Sign in
      </Button>
      {/* Beside the password, and after the button for the Tab key. */}
      <Link
        to="/auth/reset-password"
        className={`${doorLinkClasses} col-start-1 row-start-2 self-start justify-self-end text-sm`}
      >
        Forgot Password
      </Link>
      <PasswordSwitch
        isShown={isShown}
        onChange={setIsShown}
        className="relative col-start-1 row-start-2 mr-1 mb-1 self-end justify-self-end"
      />
    </form>
  );
}
