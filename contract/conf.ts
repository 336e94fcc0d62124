import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import * as limits from './limits.ts';

/** A sealed address is longer than the address. */
const token = z.string().max(1_000);

export const confEndpoints = {
  signUpForConf: endpoint({
    method: 'POST',
    path: '/api/conf/sign-up',
    summary:
      'Sends a link that puts an address on the list for the conference; the answer is the same for every address.',
    access: 'anyone',
    input: z.object({ email: z.string().max(limits.emailCharactersMax) }),
    output: z.object({}),
  }),
  confirmConf: endpoint({
    method: 'POST',
    path: '/api/conf/confirm',
    summary: 'Puts the address a link was sent to on the list. The link is good once.',
    access: 'anyone',
    input: z.object({ token }),
    output: z.object({}),
  }),
  leaveConf: endpoint({
    method: 'POST',
    path: '/api/conf/leave',
    summary: 'Erases the address that a mail was sent to from the list. Again is the same.',
    access: 'anyone',
    input: z.object({ token }),
    output: z.object({}),
  }),
  listConf: endpoint({
    method: 'GET',
    path: '/api/conf/sign-ups',
    summary: 'Who is on the list for the conference; for the operator.',
    access: 'operator',
    input: z.object({}),
    output: z.object({ signUps: z.array(z.object({ email: z.string(), confirmedAt: z.number() })) }),
  }),
};
