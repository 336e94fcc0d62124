import { useMutation } from '@tanstack/react-query';
import { identityEndpoints } from '#contract/identity.ts';
import { callApi } from '../../lib/api-client.ts';
import { useAdoptUser } from '../../lib/session.ts';
import { settleConsent } from './settle-consent.ts';

interface SignUpInput {
  email: string;
  password: string;
  displayName?: string;
  hasConsent: boolean;
}

/** Makes an account, then notes the consent; the session then leads on. */
export function useSignUp() {
  const adopt = useAdoptUser();
  return useMutation({
    mutationFn: async ({ hasConsent, ...input }: SignUpInput) => {
      const answer = await callApi(identityEndpoints.signUpWithEmail, input);
      await settleConsent(hasConsent);
      return answer;
    },
    onSuccess: ({ user }) => adopt(user),
  });
}
