import { useSearchParams } from 'react-router';
import { notMineParameter } from '#contract/identity.ts';
import { identityTexts } from '#contract/identity-texts.ts';
import { ActionFailure } from './action-failure.tsx';
import { DisownAction } from './disown-action.tsx';
import { ResetAction } from './reset-action.tsx';
import { useActionCode } from './use-action-code.ts';
import { VerifyAction } from './verify-action.tsx';

/** Where the links of our mails lead: a new password, or a verified address. */
export function ActionScreen() {
  const [params] = useSearchParams();
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
