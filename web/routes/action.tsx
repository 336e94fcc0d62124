import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { sentenceOf } from '#contract/errors.ts';
import { identityEndpoints, notMineParameter } from '#contract/identity.ts';
import { identityTexts } from '#contract/identity-texts.ts';
import { Door } from '../features/accounts/door.tsx';
import { ResetAction } from '../features/accounts/reset-action.tsx';
import { useActionCode } from '../features/accounts/use-action-code.ts';
import { ActionFailure, VerifyAction } from '../features/accounts/verify-action.tsx';
import { useAction } from '../kit/endpoint-query.ts';
import { ApiError } from '../lib/api-error.ts';
import { titledPage } from '../lib/page-title.tsx';
import { Button } from '../ui/button.tsx';
import { keepFocusNearby } from '../ui/keep-focus.ts';

/** Target of email links: resets a password or verifies an address. */
function ActionScreen() {
  const [params] = useSearchParams();
  useEffect(keepFocusNearby, []);
  const mode = params.get('mode');
  const { code, outcome, takeOutOfAddress } = useActionCode();
  if (code === '' && outcome === undefined) return <ActionFailure sentence={identityTexts.actionWithoutCode} />;
  switch (mode) {
    case 'resetPassword':
      return <ResetAction code={code} onRead={() => takeOutOfAddress({ oobCode: code })} />;
    case 'verifyEmail':
      if (params.has(notMineParameter)) return <DisownAction code={code} />;
      return <VerifyAction code={code} outcome={outcome} onDone={(done) => takeOutOfAddress({ outcome: done })} />;
    default:
      return <ActionFailure sentence={identityTexts.actionUnsupported} />;
  }
}

export default titledPage('Email action', ActionScreen);

/** For recipients of a verification email who did not sign up. Nothing happens until they confirm. */
function DisownAction({ code }: { code: string }) {
  const disown = useAction(identityEndpoints.disownAddress);
  if (disown.isSuccess) {
    return (
      <Door title="The account is closed">
        <p role="status">That account no longer exists.</p>
      </Door>
    );
  }
  if (disown.error) {
    const isRefused = disown.error instanceof ApiError && disown.error.code === 'verification-failed';
    return (
      <ActionFailure sentence={isRefused ? identityTexts.actionWithoutCode : sentenceOf('sign-in-failed')}>
        {!isRefused && (
          <Button look="action" onClick={() => disown.mutate({ oobCode: code })}>
            Try again
          </Button>
        )}
      </ActionFailure>
    );
  }
  return (
    <Door title="Didn't sign up?">
      <p>Someone created an account with your address and hasn't verified it. Closing the account deletes it.</p>
      <Button
        look="danger"
        isBusy={disown.isPending}
        onClick={() => disown.mutate({ oobCode: code })}
        className="self-start"
      >
        Close the account
      </Button>
    </Door>
  );
}
