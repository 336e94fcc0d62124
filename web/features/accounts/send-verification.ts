import { useMutation, useQuery } from '@tanstack/react-query';
import { callLater } from '../../lib/call-later.ts';
import { siteOptions } from '../../lib/site.ts';

/** Sends a new email that verifies the user's address; older links stop working. */
export function useSendVerification() {
  return useMutation({
    mutationFn: () =>
      callLater(async () => (await import('#contract/identity.ts')).identityEndpoints.sendVerification, {}),
  });
}

/** Returns the texts around a new link, which goes to the user, or to the operator if there is no mail server. */
export function useLinkTexts(isSent: boolean) {
  const isOutbox = useQuery(siteOptions).data?.mailIsOutbox === true;
  return isOutbox
    ? { button: 'Create a new link', ask: 'ask the operator for the link for', sent: 'The operator has a new link for' }
    : {
        button: isSent ? 'Send again' : 'Send verification email',
        ask: 'open the link we sent to',
        sent: 'A new link is on its way to',
      };
}
