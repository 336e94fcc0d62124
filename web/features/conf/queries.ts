import { useMutation } from '@tanstack/react-query';
import { callLater } from '../../lib/call-later.ts';

const contract = async () => (await import('#contract/conf.ts')).confEndpoints;

export function useSignUpForConf() {
  return useMutation({
    mutationFn: (email: string) => callLater(async () => (await contract()).signUpForConf, { email }),
  });
}

/** Follows an email's link. A confirmation link works only once, so the call is never retried. */
export function useFollowMailLink() {
  return useMutation({
    mutationFn: ({ name, token }: MailLink) =>
      callLater(async () => (await contract())[name === 'confirm' ? 'confirmConf' : 'leaveConf'], { token }),
  });
}

/** The contents of an email link's fragment. */
export interface MailLink {
  name: 'confirm' | 'leave';
  token: string;
}
