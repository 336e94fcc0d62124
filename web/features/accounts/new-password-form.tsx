import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import * as limits from '#contract/limits.ts';
import { Button } from '../../ui/button.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { DoorFault } from './door.tsx';
import { faultOfNewPassword } from './new-password.ts';

interface NewPasswordFormProps {
  /** Tells password managers which account the password is for, if known. */
  email?: string;
  label: string;
  action: string;
  isBusy: boolean;
  fault: string | undefined;
  onChosen: (password: string) => void;
  /** Further options, between the fields and the button. */
  children?: ReactNode;
}

/** A form for a new password, typed twice. */
export function NewPasswordForm({ email, label, action, isBusy, fault, onChosen, children }: NewPasswordFormProps) {
  const [form, setForm] = useState({ password: '', confirmation: '' });
  const [wrong, setWrong] = useState<ReturnType<typeof faultOfNewPassword>>();
  const fields = { password: useRef<HTMLInputElement>(null), confirmation: useRef<HTMLInputElement>(null) };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const found = faultOfNewPassword(form);
    setWrong(found);
    if (found) fields[found.field].current?.focus();
    else onChosen(form.password);
  };
  const field = (name: 'password' | 'confirmation') => ({
    ref: fields[name],
    value: form[name],
    error: wrong?.field === name ? wrong.sentence : undefined,
    autoComplete: 'new-password',
    maxLength: limits.passwordCharactersMax,
    onValueChange: (value: string) => {
      setForm((before) => ({ ...before, [name]: value }));
      setWrong(undefined);
    },
  });

  return (
    <form onSubmit={submit} noValidate aria-label={label} className="flex flex-col gap-4">
      {email !== undefined && <input type="email" autoComplete="username" value={email} readOnly hidden />}
      <PasswordField
        label="New password"
        hint={`At least ${limits.passwordCharactersMin} characters.`}
        autoFocus
        {...field('password')}
      />
      <PasswordField label="Confirm new password" {...field('confirmation')} />
      {children}
      {fault !== undefined && <DoorFault>{fault}</DoorFault>}
      <Button type="submit" look="action" isBusy={isBusy} className="w-full">
        {action}
      </Button>
    </form>
  );
}
