import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { callables } from '#contract/callables.ts';
import { sentenceOf } from '#contract/errors.ts';
import { identityEndpoints, notMineParameter } from '#contract/identity.ts';
import { identityTexts, signInMessageOf } from '#contract/identity-texts.ts';
import { callApi } from '../../lib/api-client.ts';
import { ApiError, sentenceForPeople } from '../../lib/api-error.ts';
import { callFunction } from '../../lib/call-function.ts';
import { destinationDefault } from '../../lib/continuation.ts';
import { announceSessionChange } from '../../lib/identity-channel.ts';
import { sessionKey, useSession } from '../../lib/session.ts';
import { whenShown } from '../../lib/when-shown.ts';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { ActionLink, ButtonLink } from '../../ui/button-link.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { useToast } from '../../ui/toast.tsx';
import { Door, DoorFoot, DoorLink } from './door.tsx';
import { NewPasswordForm } from './new-password-form.tsx';
import { useSendVerification } from './send-verification.ts';
import type { VerificationOutcome } from './use-action-code.ts';

interface VerifyActionProps {
  code: string;
  /** The result, once finished. */
  outcome: VerificationOutcome | undefined;
  onDone: (outcome: VerificationOutcome) => void;
}

/** Verifies an address with an email's code, in a page that a user has opened: link previews do not use up the code. */
export function VerifyAction({ code, outcome, onDone }: VerifyActionProps) {
  const { mutate, error, isPending, variables } = useVerifyEmail(onDone);
  const codeOfError = error instanceof ApiError ? error.code : undefined;
  const needsPassword = codeOfError === 'verification-needs-password' || variables?.newPassword !== undefined;
  const startedWith = useRef<string>(undefined);
  useEffect(() => {
    if (outcome !== undefined) return;
    return whenShown(() => {
      // Once per code, even if React runs the effect again.
      if (startedWith.current === code) return;
      startedWith.current = code;
      mutate({ oobCode: code });
    });
  }, [code, outcome, mutate]);

  if (outcome !== undefined) return <Verified outcome={outcome} />;
  if (needsPassword && codeOfError !== 'verification-failed') {
    return (
      <VerifyWithPassword
        code={code}
        isBusy={isPending}
        fault={codeOfError === 'verification-needs-password' ? undefined : messageOf(error)}
        onChosen={(newPassword) => mutate({ oobCode: code, newPassword })}
      />
    );
  }
  if (codeOfError === 'verification-needs-sign-in' && error) {
    return (
      <ActionFailure sentence={error.message}>
        <ActionLink to="/login">Sign in</ActionLink>
      </ActionFailure>
    );
  }
  if (error && !isPending) {
    const isRefused = codeOfError === 'verification-failed';
    return (
      <ActionFailure sentence={isRefused ? sentenceOf('verification-failed') : identityTexts.verificationError}>
        {isRefused ? (
          <NewLink />
        ) : (
          <Button look="action" onClick={() => mutate({ oobCode: code })}>
            Try again
          </Button>
        )}
      </ActionFailure>
    );
  }
  return (
    <Door title="Email verification">
      <Loading label={identityTexts.verifying}>{identityTexts.verifying}</Loading>
    </Door>
  );
}

/** Shown for an expired link: sends a new one, which requires a session of the account. */
function NewLink() {
  const user = useSession().data?.user;
  const send = useSendVerification();
  const toast = useToast();
  if (!user) {
    return <ActionLink to="/login">Sign in to get a new link</ActionLink>;
  }
  if (user.isEmailVerified || user.email === null) return null;
  const { email } = user;
  return (
    <Button
      look="action"
      isBusy={send.isPending}
      onClick={({ currentTarget }) =>
        send.mutate(undefined, {
          onSuccess: () => toast({ message: `New link sent for ${email}` }),
          onError: (error) => toast({ message: sentenceForPeople(error), tone: 'bad', target: currentTarget }),
        })
      }
    >
      Send a new link
    </Button>
  );
}

function messageOf(error: unknown): string | undefined {
  if (error === null) return undefined;
  return signInMessageOf(error instanceof ApiError ? error.code : undefined, identityTexts.verificationError);
}

interface VerifyWithPasswordProps {
  code: string;
  isBusy: boolean;
  fault: string | undefined;
  onChosen: (password: string) => void;
}

/**
 * For browsers that did not request the email: someone else may have created the account, so all access to it is reset.
 */
function VerifyWithPassword({ code, isBusy, fault, onChosen }: VerifyWithPasswordProps) {
  const notMine = new URLSearchParams({ mode: 'verifyEmail', oobCode: code, [notMineParameter]: 'yes' });
  return (
    <Door
      title="Choose a password to verify your email"
      lead="Open the link in the browser that requested it, or sign in here and send a new one. Choosing a password here ends all other sessions, revokes the account's API keys and connected applications, and disconnects GitHub and Google."
    >
      <NewPasswordForm
        label="Choose a password"
        action="Verify email"
        isBusy={isBusy}
        fault={fault}
        onChosen={onChosen}
      />
      <DoorFoot>
        <DoorLink to={`/auth/action?${notMine.toString()}`} replace>
          I did not sign up
        </DoorLink>
      </DoorFoot>
    </Door>
  );
}

function Verified({ outcome }: { outcome: VerificationOutcome }) {
  const isSignedIn = Boolean(useSession().data?.user);
  return (
    <Door title="Email verification">
      <p role="status" className="flex gap-3">
        <CircleCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-lamp" />
        {outcome === 'verified' ? identityTexts.verified : identityTexts.wasVerified}
      </p>
      <Link to={isSignedIn ? destinationDefault : '/login'} className={`${buttonClasses('action')} self-start`}>
        {isSignedIn ? 'Continue' : 'Sign in'}
      </Link>
    </Door>
  );
}

/** Redeems a verification code, then runs the follow-up on the server and notifies other tabs. */
function useVerifyEmail(onDone: (outcome: VerificationOutcome) => void) {
  const client = useQueryClient();
  const isSignedIn = Boolean(useSession().data?.user);
  return useMutation({
    mutationFn: (input: { oobCode: string; newPassword?: string }) =>
      callApi(identityEndpoints.applyVerificationCode, input),
    onSuccess: ({ wasVerified }, { newPassword }) => {
      onDone(wasVerified ? 'was-verified' : 'verified');
      announceSessionChange();
      void client.invalidateQueries({ queryKey: sessionKey });
      // The address is verified even if this call fails; the next verification repeats it.
      if (isSignedIn || newPassword !== undefined)
        void callFunction(callables.onEmailVerified, {}).catch(() => undefined);
    },
  });
}

interface ActionFailureProps {
  sentence: string;
  /** Further remedies, besides the link to the home page. */
  children?: ReactNode;
}

/** Shown for an invalid link. */
export function ActionFailure({ sentence, children }: ActionFailureProps) {
  return (
    <Door title={identityTexts.actionFailed}>
      <p role="alert">{sentence}</p>
      <div className="flex flex-wrap gap-2">
        {children}
        <ButtonLink to="/">Return home</ButtonLink>
      </div>
    </Door>
  );
}
