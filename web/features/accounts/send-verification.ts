import { useMutation } from '@tanstack/react-query';
import { callLater } from '../../lib/call-later.ts';

/** Makes the mail that verifies the person's address again. */
export function useSendVerification() {
  return useMutation({
    mutationFn: () =>
      callLater(async () => (await import('#contract/identity.ts')).identityEndpoints.sendVerification, {}),
  });
}
