import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callables } from '#contract/callables.ts';
import { identityEndpoints } from '#contract/identity.ts';
import { callApi } from '../../lib/api-client.ts';
import { callFunction } from '../../lib/call-function.ts';
import { announceSessionChange } from '../../lib/identity-channel.ts';
import { sessionKey, useSession } from '../../lib/session.ts';
import type { VerificationOutcome } from './use-action-code.ts';

/** Spends a verification code, then tells the server's follow-up and the other tabs. */
export function useVerifyEmail(onDone: (outcome: VerificationOutcome) => void) {
  const client = useQueryClient();
  const isSignedIn = Boolean(useSession().data?.user);
  return useMutation({
    mutationFn: (input: { oobCode: string; newPassword?: string }) =>
      callApi(identityEndpoints.applyVerificationCode, input),
    retry: false,
    onSuccess: ({ wasVerified }, { newPassword }) => {
      onDone(wasVerified ? 'was-verified' : 'verified');
      announceSessionChange();
      void client.invalidateQueries({ queryKey: sessionKey });
      // The address is verified whatever becomes of this call; it is made again with the next verification.
      if (isSignedIn || newPassword !== undefined)
        void callFunction(callables.onEmailVerified, {}).catch(() => undefined);
    },
  });
}
