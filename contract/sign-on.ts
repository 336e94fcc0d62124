import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import * as limits from './limits.ts';

/** Roles that a first sign-in may give; admins are made by admins. */
export const signOnRoles = ['writer', 'reader'] as const;

/** Page that a browser, or a popup of it, goes to for signing in with an address of a team's domain. */
export const signOnStartPath = '/api/identity/sign-on/start';
/**
 * Where the provider sends the browser back to: what the team registers there, below the public address. Each team has one of its
 * own: no provider of another can have the code that is sent to it.
 */
export const signOnCallbackPath = (teamId: string) => `/api/identity/sign-on/callback/${teamId}`;

export const signOnSchema = z.object({
  domain: z.string(),
  /** The record that proves the domain: TXT at `name` with `value`. */
  record: z.object({ name: z.string(), value: z.string() }),
  /** Null: not proved yet, and no one signs in by it. */
  verifiedAt: z.int().nullable(),
  /** When the record was first found missing. The proof lapses if it stays so. */
  missingSince: z.int().nullable(),
  /** An operator vouches for the domain: its people get accounts where sign-up is closed. A record that proved it before is still needed. */
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
  findSignOn: endpoint({
    method: 'POST',
    path: '/api/identity/sign-on',
    summary: 'Returns whether an email address’s domain has single sign-on.',
    access: 'anyone',
    input: z.object({ email }),
    output: z.object({ isAvailable: z.boolean() }),
  }),
  getSignOn: endpoint({
    method: 'GET',
    path: '/api/teams/:teamId/sign-on',
    summary: 'Returns a team’s single sign-on settings and the redirect address to register with the provider.',
    right: 'sso.manage',
    input: team,
    output: z.object({ signOn: signOnSchema.nullable(), redirectUri: z.string() }),
  }),
  setSignOn: endpoint({
    method: 'PUT',
    path: '/api/teams/:teamId/sign-on',
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
  verifySignOnDomain: endpoint({
    method: 'POST',
    path: '/api/teams/:teamId/sign-on/verify',
    summary:
      'Checks for the TXT record that proves the domain. An operator can vouch for the domain and provider instead.',
    right: 'sso.manage',
    input: team.extend({
      vouchFor: z.object({ domain: z.string().max(300), issuer: z.string().max(limits.urlCharactersMax) }).optional(),
    }),
    output: z.object({ signOn: signOnSchema }),
  }),
  removeSignOn: endpoint({
    method: 'DELETE',
    path: '/api/teams/:teamId/sign-on',
    summary: 'Turns single sign-on off. Members stay in the team.',
    right: 'sso.manage',
    input: team,
    output: z.object({}),
  }),
  withdrawDomain: endpoint({
    method: 'DELETE',
    path: '/api/operator/domains/:domain',
    summary: 'Operator: stops vouching for a domain. Without a TXT record, its single sign-on ends.',
    access: 'operator',
    input: z.object({ domain: z.string().max(253) }),
    output: z.object({
      /** False: no operator vouches for it. */
      wasVouchedFor: z.boolean(),
    }),
  }),
};
