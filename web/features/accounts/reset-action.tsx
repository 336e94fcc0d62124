import { useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { sentenceOf } from '#contract/errors.ts';
import { identityEndpoints } from '#contract/identity.ts';
import { identityTexts, signInMessageOf } from '#contract/identity-texts.ts';
import { limits } from '#contract/limits.ts';
import { callApi } from '../../lib/api-client.ts';
import { ApiError } from '../../lib/api-error.ts';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { ActionFailure } from './action-failure.tsx';
import { Door, DoorFault } from './door.tsx';
import { faultOfNewPassword } from './new-password.ts';
import { useConfirmReset } from './queries.ts';

interface ResetActionProps {
  code: string;
  /** The code is good: the address needs it no longer. */
  onRead: () => void;
}

/** A new password: the code is verified first, then the form, then the way to the sign-in screen. */
export function ResetAction({ code, onRead }: ResetActionProps) {
  const [isChanged, setIsChanged] = useState(false);
  const account = useQuery({
    queryKey: ['reset-code', code],
    queryFn: ({ signal }) => callApi(identityEndpoints.verifyResetCode, { oobCode: code }, signal),
    enabled: !isChanged,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchOnWindowFocus: false,
  });
  const hasRead = account.isSuccess;
  const readOnce = useRef(false);
  useEffect(() => {
    if (!hasRead || readOnce.current) return;
    readOnce.current = true;
    onRead();
  }, [hasRead, onRead]);

  if (isChanged) return <Changed />;
  if (account.data) {
    return <NewPasswordForm code={code} email={account.data.email} onChanged={() => setIsChanged(true)} />;
  }
  if (account.isError) {
    return (
      <ActionFailure sentence={messageOf(account.error, sentenceOf('invalid-action-code'))}>
        <Link to="/auth/reset-password" className={buttonClasses('action')}>
          Request a new link
        </Link>
      </ActionFailure>
    );
  }
  return (
    <Door title="Choose a new password">
      <Loading label="Checking your link…" className="flex flex-col gap-4">
        <Skeleton className="h-4 w-56" />
        <Skeleton className="h-9 w-full" />
        <Skeleton className="h-9 w-full" />
      </Loading>
    </Door>
  );
}

function messageOf(error: unknown, otherwise: string): string {
  const code = error instanceof ApiError ? error.code : undefined;
  return code === 'invalid-action-code' ? sentenceOf(code) : signInMessageOf(code, otherwise);
}

interface NewPasswordFormProps {
  code: string;
  email: string;
  onChanged: () => void;
}

function NewPasswordForm({ code, email, onChanged }: NewPasswordFormProps) {
  const confirm = useConfirmReset();
  const [form, setForm] = useState({ password: '', confirmation: '' });
  const [wrong, setWrong] = useState<ReturnType<typeof faultOfNewPassword>>();
  const fields = { password: useRef<HTMLInputElement>(null), confirmation: useRef<HTMLInputElement>(null) };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (confirm.isPending) return;
    const found = faultOfNewPassword(form);
    setWrong(found);
    if (found) fields[found.field].current?.focus();
    else confirm.mutate({ oobCode: code, newPassword: form.password }, { onSuccess: onChanged });
  };
  const field = (name: 'password' | 'confirmation') => ({
    ref: fields[name],
    value: form[name],
    error: wrong?.field === name ? wrong.sentence : undefined,
    autoComplete: 'new-password',
    maxLength: limits.passwordCharactersMax,
    onValueChange: (value: string) => {
      setForm({ ...form, [name]: value });
      setWrong(undefined);
    },
  });

  return (
    <Door
      title="Choose a new password"
      lead={
        <>
          For <span className="wrap-anywhere font-medium text-ink">{email}</span>. All browsers of this account are then
          signed out.
        </>
      }
    >
      <form onSubmit={submit} noValidate aria-label="Choose a new password" className="flex flex-col gap-4">
        {/* Lets a password manager know whose password this is. */}
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          label="New password"
          hint={`At least ${limits.passwordCharactersMin} characters.`}
          autoFocus
          {...field('password')}
        />
        <PasswordField label="Confirm new password" {...field('confirmation')} />
        {confirm.error && <DoorFault>{messageOf(confirm.error, identityTexts.resetFailed)}</DoorFault>}
        <Button type="submit" look="action" isBusy={confirm.isPending} className="w-full">
          Change password
        </Button>
      </form>
    </Door>
  );
}

function Changed() {
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => void navigate('/login', { replace: true }), limits.resetRedirectSeconds * 1_000);
    return () => clearTimeout(timer);
  }, [navigate]);
  return (
    <Door title="Your password is changed">
      <p role="status" className="flex gap-3">
        <CircleCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-lamp" />
        Sign in with your new password. The sign-in screen opens by itself in a moment.
      </p>
      <Link to="/login" replace className={`${buttonClasses('action')} self-start`}>
        Sign in
      </Link>
    </Door>
  );
}
