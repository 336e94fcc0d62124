import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import * as limits from './limits.ts';

/** Longer than an email address, because the address in it is encrypted. */
const token = z.string().max(1_000);

export const confEndpoints = {
  signUpForConf: endpoint('POST /api/conf/sign-up', {
    summary: 'Emails a link that signs an address up for the conference. The response is the same for every address.',
    access: 'anyone',
    input: z.object({ email: z.string().max(limits.emailCharactersMax) }),
    output: z.object({}),
  }),
  confirmConf: endpoint('POST /api/conf/confirm', {
    summary: 'Signs up the address that the link was sent to. The link works once.',
    access: 'anyone',
    input: z.object({ token }),
    output: z.object({}),
  }),
  leaveConf: endpoint('POST /api/conf/leave', {
    summary: 'Removes the email’s recipient from the conference list. Repeated calls change nothing.',
    access: 'anyone',
    input: z.object({ token }),
    output: z.object({}),
  }),
  listConf: endpoint('GET /api/conf/sign-ups', {
    summary: 'Operator: lists the sign-ups for the conference.',
    access: 'operator',
    output: z.object({ signUps: z.array(z.object({ email: z.string(), confirmedAt: z.number() })) }),
  }),
};
