import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import * as limits from './limits.ts';

/** Roles that a first sign-in can give; only admins can appoint admins. */
export const signOnRoles = ['writer', 'reader'] as const;

/** Page that a browser or popup opens to sign in with an address of a team's domain. */
export const signOnStartPath = '/api/identity/sign-on/start';
/**
 * Returns the redirect path to register at the provider, below the public address. It is different for each team, so
 * that another team's provider cannot receive this team's code.
 */
export const signOnCallbackPath = (teamId: string) => `/api/identity/sign-on/callback/${teamId}`;

export const signOnSchema = z.object({
  domain: z.string(),
  /** The DNS record that proves the domain: TXT at `name` with `value`. */
  record: z.object({ name: z.string(), value: z.string() }),
  /** Null if not proved yet: sign-in is not possible. */
  verifiedAt: z.int().nullable(),
  /** When the record was first found missing. If it stays missing, the proof lapses. */
  missingSince: z.int().nullable(),
  /**
   * True if an operator vouches for the domain: its users get accounts even if sign-up is closed. A DNS record that
   * proved the domain is still required.
   */
  isVouchedFor: z.boolean(),
  issuer: z.string(),
  clientId: z.string(),
  defaultRole: z.enum(signOnRoles),
  updatedAt: z.int(),
});
export type SignOn = z.infer<typeof signOnSchema>;

const teamId = z.string().min(1).max(100);
const team = z.object({ teamId });
const email = z.string().max(limits.emailCharactersMax);

export const signOnEndpoints = {
  findSignOn: endpoint('POST /api/identity/sign-on', {
    summary: 'Returns whether an email address’s domain has single sign-on.',
    access: 'anyone',
    input: z.object({ email }),
    output: z.object({ isAvailable: z.boolean() }),
  }),
  getSignOn: endpoint('GET /api/teams/:teamId/sign-on', {
    summary: 'Returns a team’s single sign-on settings and the redirect address to register with the provider.',
    right: 'sso.manage',
    input: team,
    output: z.object({ signOn: signOnSchema.nullable(), redirectUri: z.string() }),
  }),
  setSignOn: endpoint('PUT /api/teams/:teamId/sign-on', {
    summary: 'Sets up single sign-on. Without a client secret, the current one is kept.',
    right: 'sso.manage',
    input: z.object({
      teamId,
      domain: z.string().max(253),
      issuer: z.string().max(limits.urlCharactersMax),
      clientId: z.string().trim().min(1).max(500),
      clientSecret: z.string().max(2_000).optional(),
      defaultRole: z.enum(signOnRoles).default('reader'),
    }),
    output: z.object({ signOn: signOnSchema }),
  }),
  verifySignOnDomain: endpoint('POST /api/teams/:teamId/sign-on/verify', {
    summary:
      'Checks for the TXT record that proves the domain. An operator can vouch for the domain and provider instead.',
    right: 'sso.manage',
    input: team.extend({
      vouchFor: z.object({ domain: z.string().max(300), issuer: z.string().max(limits.urlCharactersMax) }).optional(),
    }),
    output: z.object({ signOn: signOnSchema }),
  }),
  removeSignOn: endpoint('DELETE /api/teams/:teamId/sign-on', {
    summary: 'Turns single sign-on off. Members stay in the team.',
    right: 'sso.manage',
    input: team,
    output: z.object({}),
  }),
  withdrawDomain: endpoint('DELETE /api/operator/domains/:domain', {
    summary: 'Operator: stops vouching for a domain. Without a TXT record, its single sign-on ends.',
    access: 'operator',
    input: z.object({ domain: z.string().max(253) }),
    output: z.object({
      /** False if no operator had vouched for it. */
      wasVouchedFor: z.boolean(),
    }),
  }),
};
