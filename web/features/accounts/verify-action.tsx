import { CircleCheck } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { sentenceOf } from '#contract/errors.ts';
import { identityTexts } from '#contract/identity-texts.ts';
import { ApiError } from '../../lib/api-error.ts';
import { destinationDefault } from '../../lib/continuation.ts';
import { useSession } from '../../lib/session.ts';
import { whenShown } from '../../lib/when-shown.ts';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { ActionFailure } from './action-failure.tsx';
import { Door } from './door.tsx';
import type { VerificationOutcome } from './use-action-code.ts';
import { useVerifyEmail } from './use-verify-email.ts';

interface VerifyActionProps {
  code: string;
  /** How it ended, once it has. */
  outcome: VerificationOutcome | undefined;
  onDone: (outcome: VerificationOutcome) => void;
}

/** Verifies an address with the code of a mail, on a page that somebody looks at: a preview leaves the code unspent. */
export function VerifyAction({ code, outcome, onDone }: VerifyActionProps) {
  const { mutate, error, isPending } = useVerifyEmail(onDone);
  const startedWith = useRef<string>(undefined);
  useEffect(() => {
    if (outcome !== undefined) return;
    return whenShown(() => {
      // Once for a code, however often React runs the effect.
      if (startedWith.current === code) return;
      startedWith.current = code;
      mutate(code);
    });
  }, [code, outcome, mutate]);

  if (outcome !== undefined) return <Verified outcome={outcome} />;
  if (error && !isPending) {
    const isRefused = error instanceof ApiError && error.code === 'verification-failed';
    return (
      <ActionFailure sentence={isRefused ? sentenceOf('verification-failed') : identityTexts.verificationError}>
        {!isRefused && (
          <Button look="action" onClick={() => mutate(code)}>
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
