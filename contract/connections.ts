import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import * as limits from './limits.ts';

/** The only scope that applications can get: search and read what their workspace may read. */
export const connectionScope = 'docs';
/** Requests a refresh token; every application that can use one gets it anyway. */
export const offlineScope = 'offline_access';

/** Why an application's request is not shown to the user, with the message for people. */
export const consentRefusals = {
  'request-unreadable': 'The request is incomplete or repeats a parameter.',
  'client-unknown':
    'This server does not know the application. Its registration may have expired after a long time without use.',
  'client-unreachable':
    'This server could not reach the site that describes the application. The operator can set LECTERN_CLIENT_DOCUMENTS=off, so that the application registers here instead.',
  'client-documents-off':
    'This server does not read application descriptions from other sites. The application must register here.',
  'client-unreadable': 'The description that this application publishes is not valid.',
  'redirect-unknown': 'The redirect address is not one that this application has registered.',
  'response-type': 'The application requests a response type that this server does not support.',
  'challenge-missing': 'The application does not protect the response against interception (PKCE with S256).',
  'resource-foreign': 'The application requests access to a different server.',
} as const;
export type ConsentRefusal = keyof typeof consentRefusals;

const requestSchema = z.string().max(limits.connectionRequestCharactersMax);

/** Where the response goes: a web site, a program on this computer, or an app that opens its own kind of links. */
const redirectSchema = z.object({ kind: z.enum(['site', 'this-computer', 'app']), target: z.string() });

const consentSchema = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('ask'),
    clientName: z.string(),
    /** The site that vouches for the name; null if the application chose the name itself. */
    vouchedBy: z.string().nullable(),
    redirect: redirectSchema,
    workspaces: z.array(z.object({ id: z.string(), name: z.string() })).min(1),
  }),
  /** The acting user's email address is not verified yet. */
  z.object({ outcome: z.literal('unverified') }),
  z.object({
    outcome: z.literal('refused'),
    reason: z.enum(Object.keys(consentRefusals) as [ConsentRefusal, ...ConsentRefusal[]]),
    /** Reports the refusal to the application; null if the redirect address cannot be trusted. */
    returnTo: z.object({ url: z.string(), redirect: redirectSchema }).nullable(),
  }),
]);
export type Consent = z.infer<typeof consentSchema>;
export type ConsentQuestion = Extract<Consent, { outcome: 'ask' }>;

export const connectionSchema = z.object({
  id: z.string(),
  clientName: z.string(),
  vouchedBy: z.string().nullable(),
  workspaceName: z.string(),
  mayAskToIndex: z.boolean(),
  connectedAt: z.int(),
  lastUsedAt: z.int().nullable(),
});
export type Connection = z.infer<typeof connectionSchema>;

export const connectionEndpoints = {
  describeConsent: endpoint('POST /api/connections/describe', {
    summary: 'Returns what an application requests. `request` is the query of its authorization request.',
    input: z.object({ request: requestSchema }),
    output: consentSchema,
  }),
  answerConsent: endpoint('POST /api/connections/answer', {
    summary: 'Allows or denies an application’s access. Returns the address to open in the browser.',
    input: z.object({
      request: requestSchema,
      isAllowed: z.boolean(),
      workspaceId: z.string().max(100),
      /** True if the application may ask people to have a source indexed. */
      mayAskToIndex: z.boolean().default(false),
    }),
    output: z.object({ url: z.string() }),
  }),
  listConnections: endpoint('GET /api/connections', {
    summary: 'Lists your connected applications, newest first.',
    output: z.object({ connections: z.array(connectionSchema) }),
  }),
  revokeConnection: endpoint('POST /api/connections/:connectionId/revoke', {
    summary: 'Ends an application’s access at its next call.',
    input: z.object({ connectionId: z.string() }),
    output: z.object({}),
  }),
};
