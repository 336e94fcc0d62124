import { type FormEvent, useRef, useState } from 'react';
import { Link } from 'react-router';
import { limits } from '#contract/limits.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { doorLinkClasses } from './door.tsx';

interface SignInFormProps {
  isBusy: boolean;
  onSubmit: (input: { email: string; password: string }) => void;
}

/** E-mail and password. With one of them empty nothing is sent and focus stays in the first empty field. */
export function SignInForm({ isBusy, onSubmit }: SignInFormProps) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
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
    <form onSubmit={submit} noValidate aria-label="Sign in with e-mail" className="flex flex-col gap-4">
      <TextField
        ref={emailRef}
        label="Email"
        type="email"
        name="email"
        autoComplete="username"
        maxLength={limits.emailCharactersMax}
        value={email}
        onValueChange={setEmail}
      />
      <PasswordField
        ref={passwordRef}
        label="Password"
        name="password"
        autoComplete="current-password"
        maxLength={limits.passwordCharactersMax}
        value={password}
        onValueChange={setPassword}
        aside={
          <Link to="/auth/reset-password" className={`${doorLinkClasses} text-sm`}>
            Forgot Password
          </Link>
        }
      />
      <Button type="submit" look="action" isBusy={isBusy} className="w-full">
        Sign in
      </Button>
    </form>
  );
}
