import { useMutation } from '@tanstack/react-query';
import { callLater } from '../../lib/call-later.ts';

const contract = async () => (await import('#contract/conf.ts')).confEndpoints;

export function useSignUpForConf() {
  return useMutation({
    mutationFn: (email: string) => callLater(async () => (await contract()).signUpForConf, { email }),
  });
}

/** Spends the link of a mail: the one that confirms is good once, so it is never tried again. */
export function useFollowMailLink() {
  return useMutation({
    mutationFn: ({ name, token }: MailLink) =>
      callLater(async () => (await contract())[name === 'confirm' ? 'confirmConf' : 'leaveConf'], { token }),
  });
}

/** What the address of a link in a mail names after its hash. */
export interface MailLink {
  name: 'confirm' | 'leave';
  token: string;
}
