import { z } from 'zod';
import { endpoint } from './endpoint.ts';

export const sessionUserSchema = z.object({
  uid: z.string(),
  email: z.string().nullable(),
  displayName: z.string(),
  photoURL: z.string().nullable(),
  isOperator: z.boolean(),
  isEmailVerified: z.boolean(),
  hasPassword: z.boolean(),
  tier: z.string(),
  createdAt: z.int(),
});
export type SessionUser = z.infer<typeof sessionUserSchema>;

export const accountEndpoints = {
  getSession: endpoint('GET /api/session', {
    summary: 'Returns the signed-in user and the name of this installation.',
    access: 'anyone',
    output: z.object({
      user: sessionUserSchema.nullable(),
      productName: z.string(),
      publicUrl: z.string(),
      /** For people only: the position from which `GET /api/live` sends the changes since this response. */
      livePosition: z.string().optional(),
    }),
  }),
  redeemSignInLink: endpoint('POST /api/session', {
    summary: 'Signs in with the one-time code from a sign-in link, and sets the session cookie.',
    access: 'anyone',
    input: z.object({ code: z.string().max(200) }),
    output: z.object({ user: sessionUserSchema }),
  }),
  signOut: endpoint('POST /api/session/end', {
    summary: 'Signs out in this browser.',
    access: 'anyone',
    output: z.object({}),
  }),
  createSignInLink: endpoint('POST /api/sign-in-links', {
    summary: 'Operator, at the command line only: creates a one-time sign-in link for the local owner.',
    access: 'operator',
    output: z.object({ url: z.string() }),
  }),
};
