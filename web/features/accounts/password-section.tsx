import { type FormEvent, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { SessionUser } from '#contract/accounts.ts';
import { identityEndpoints } from '#contract/identity.ts';
import * as limits from '#contract/limits.ts';
import { useAction } from '../../kit/endpoint-query.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { SettingsRow, SettingsSection } from '../../ui/settings.tsx';
import { useToast } from '../../ui/toast.tsx';
import { faultOfNewPassword } from './new-password.ts';

/** Changes the password with the current one, or creates one by email if there is none. */
export function PasswordSection({ user }: { user: SessionUser }) {
  return (
    <SettingsSection
      id="password"
      title="Password"
      about={user.hasPassword ? 'Changing it signs out your other browsers.' : undefined}
    >
      <SettingsRow>
        {user.hasPassword ? (
          <ChangeForm email={user.email ?? ''} />
        ) : (
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="text-soft">You don't have a password yet. You need a link to choose one.</p>
            <Link to="/auth/reset-password" className={buttonClasses('plain', 'sm')}>
              Choose a password
            </Link>
          </div>
        )}
      </SettingsRow>
    </SettingsSection>
  );
}

const emptyForm = { current: '', password: '', confirmation: '' };

function ChangeForm({ email }: { email: string }) {
  const change = useAction(identityEndpoints.changePassword, { invalidates: ['sessions'] });
  const toast = useToast();
  const [form, setForm] = useState(emptyForm);
  const [wrong, setWrong] = useState<{ field: keyof typeof emptyForm; sentence: string }>();
  const fields = {
    current: useRef<HTMLInputElement>(null),
    password: useRef<HTMLInputElement>(null),
    confirmation: useRef<HTMLInputElement>(null),
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (change.isPending) return;
    if (form.current === '') return fields.current.current?.focus();
    const found = faultOfNewPassword(form);
    setWrong(found);
    if (found) return fields[found.field].current?.focus();
    change.mutate(
      { currentPassword: form.current, newPassword: form.password },
      {
        onSuccess: () => {
          setForm(emptyForm);
          toast({ message: 'Password changed' });
        },
        onError: (error) => {
          setWrong({ field: 'current', sentence: sentenceForPeople(error) });
          fields.current.current?.focus();
        },
      },
    );
  };
  const field = (name: keyof typeof emptyForm) => ({
    ref: fields[name],
    value: form[name],
    error: wrong?.field === name ? wrong.sentence : undefined,
    maxLength: limits.passwordCharactersMax,
    onValueChange: (value: string) => {
      setForm((before) => ({ ...before, [name]: value }));
      setWrong(undefined);
    },
  });

  return (
    <form onSubmit={submit} noValidate aria-label="Change password" className="flex max-w-sm flex-col gap-4">
      {/* Tells password managers which account the password is for. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordField label="Current password" autoComplete="current-password" {...field('current')} />
      <PasswordField
        label="New password"
        hint={`At least ${limits.passwordCharactersMin} characters.`}
        autoComplete="new-password"
        {...field('password')}
      />
      <PasswordField label="Confirm new password" autoComplete="new-password" {...field('confirmation')} />
      <Button type="submit" isBusy={change.isPending} className="self-start">
        Change password
      </Button>
    </form>
  );
}
