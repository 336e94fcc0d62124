import { useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { sentenceOf } from '#contract/errors.ts';
import { identityEndpoints } from '#contract/identity.ts';
import { identityTexts, signInMessageOf } from '#contract/identity-texts.ts';
import * as limits from '#contract/limits.ts';
import { countOf } from '#contract/quantities.ts';
import { useAction } from '../../kit/endpoint-query.ts';
import { callApi } from '../../lib/api-client.ts';
import { ApiError } from '../../lib/api-error.ts';
import { buttonClasses } from '../../ui/button.tsx';
import { ActionLink } from '../../ui/button-link.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { Door } from './door.tsx';
import { NewPasswordForm } from './new-password-form.tsx';
import { ActionFailure } from './verify-action.tsx';

interface ResetActionProps {
  code: string;
  /** Called once the code is valid, so that it can be removed from the address. */
  onRead: () => void;
}

/** Resets a password: verifies the code, shows the form, then opens the sign-in screen. */
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
    return <ResetForm code={code} account={account.data} onChanged={() => setIsChanged(true)} />;
  }
  if (account.isError) {
    return (
      <ActionFailure sentence={messageOf(account.error, sentenceOf('invalid-action-code'))}>
        <ActionLink to="/auth/reset-password">Request a new link</ActionLink>
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

interface ResetFormProps {
  code: string;
  account: { email: string; apiKeys: number; connections: number };
  onChanged: () => void;
}

function ResetForm({ code, account, onChanged }: ResetFormProps) {
  const confirm = useAction(identityEndpoints.confirmReset);
  const [endsAgents, setEndsAgents] = useState(true);
  const { email, apiKeys, connections } = account;
  const agents = [
    apiKeys > 0 ? countOf(apiKeys, 'API key') : undefined,
    connections > 0 ? countOf(connections, 'connected application') : undefined,
  ].filter((part) => part !== undefined);
  return (
    <Door
      title="Choose a new password"
      lead={
        <>
          For <span className="wrap-anywhere font-medium text-ink">{email}</span>. Changing it signs out every browser.
        </>
      }
    >
      <NewPasswordForm
        email={email}
        label="Choose a new password"
        action="Change password"
        isBusy={confirm.isPending}
        fault={confirm.error === null ? undefined : messageOf(confirm.error, identityTexts.resetFailed)}
        onChosen={(newPassword) =>
          confirm.mutate({ oobCode: code, newPassword, keepsAgents: !endsAgents }, { onSuccess: onChanged })
        }
      >
        {agents.length > 0 && (
          <Checkbox
            label={`Also end ${agents.join(' and ')}`}
            hint="Including those in teams. Leave this on if someone else may know your password."
            isChecked={endsAgents}
            onChange={setEndsAgents}
          />
        )}
      </NewPasswordForm>
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
    <Door title="Password changed">
      <p role="status" className="flex gap-3">
        <CircleCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-lamp" />
        Sign in with your new password. The sign-in page opens in a moment.
      </p>
      <Link to="/login" replace className={`${buttonClasses('action')} self-start`}>
        Sign in
      </Link>
    </Door>
  );
}
