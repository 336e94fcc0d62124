import { z } from 'zod';
import { auditEntrySchema } from './audit.ts';
import { endpoint } from './endpoint.ts';
import * as limits from './limits.ts';
import { nameLine } from './name-line.ts';

/** An account as the operator sees it. */
export const personSchema = z.object({
  userId: z.string(),
  email: z.string().nullable(),
  displayName: z.string(),
  isOperator: z.boolean(),
  /** The account created with the installation; it always stays an operator. */
  isLocalOwner: z.boolean(),
  isEmailVerified: z.boolean(),
  hasPassword: z.boolean(),
  /** Null if not disabled. */
  disabledAt: z.int().nullable(),
  createdAt: z.int(),
  /** Last use in a browser or through an API key; null if never. */
  lastSeenAt: z.int().nullable(),
  /** Signed-in browsers. */
  sessions: z.int(),
  /** Active API keys, including team keys. */
  apiKeys: z.int(),
  tier: z.string(),
  /** Credits that never expire. */
  credits: z.int(),
});
export type Person = z.infer<typeof personSchema>;

/** An email address, or the id of an account. */
const whose = z.string().trim().min(1).max(limits.emailCharactersMax);
const cursor = z
  .string()
  .max(100)
  .regex(/^\d{1,15}\.[\w-]+$/, 'give the nextCursor of the previous page')
  .optional();
const person = z.object({ person: personSchema });
/** `url` sets a password once; null if the account cannot have a password. `isMailed`: it is also sent by email. */
const passwordLink = z.object({ url: z.string(), isMailed: z.boolean() });
const auditFilters = {
  /** An action, such as `key.revoke`, or a noun for all of its actions, such as `key`. */
  action: z
    .string()
    .max(50)
    .regex(/^[a-z-]+(\.[a-z-]+)?$/, 'give an action such as member.remove, or a noun such as member')
    .optional(),
  /** Only this account's actions: an email address or an id. */
  who: whose.optional(),
};

export const operatorEndpoints = {
  listPeople: endpoint('GET /api/operator/people', {
    summary: 'Operator: lists the accounts of this installation, newest first.',
    access: 'operator',
    input: z.object({
      /** Part of an email address or a name. */
      query: z.string().trim().max(limits.emailCharactersMax).optional(),
      /** `nextCursor` of the previous page. */
      cursor,
      limit: z.coerce.number().int().min(1).max(limits.peopleListedMax).default(limits.peopleListedDefault),
    }),
    output: z.object({
      people: z.array(personSchema),
      /** Number of all matches. */
      count: z.int(),
      nextCursor: z.string().nullable(),
    }),
  }),
  createPerson: endpoint('POST /api/operator/people', {
    summary: 'Operator: creates an account, even where sign-up is closed, and returns a link to set its password.',
    access: 'operator',
    input: z.object({
      email: z.string().max(limits.emailCharactersMax),
      displayName: z.string().overwrite(nameLine).max(limits.displayNameCharactersMax).optional(),
      isOperator: z.boolean().optional(),
      /** With a password, the address counts as verified and no link is created. */
      password: z.string().max(limits.passwordCharactersMax).optional(),
      /** Emails the link to the address. */
      isInvited: z.boolean().optional(),
    }),
    output: z.object({ person: personSchema, link: passwordLink.nullable() }),
  }),
  updatePerson: endpoint('POST /api/operator/people/:whose', {
    summary: 'Operator: disables or enables an account, and grants or removes the operator role.',
    access: 'operator',
    input: z.object({ whose, isDisabled: z.boolean().optional(), isOperator: z.boolean().optional() }),
    output: person,
  }),
  createPasswordLink: endpoint('POST /api/operator/people/:whose/password-link', {
    summary: 'Operator: creates a link to set an account’s password. Earlier links stop working.',
    access: 'operator',
    input: z.object({ whose, isMailed: z.boolean().optional() }),
    output: passwordLink,
  }),
  endSessionsOf: endpoint('POST /api/operator/people/:whose/end-sessions', {
    summary: 'Operator: signs an account out in every browser, and optionally revokes its API keys and applications.',
    access: 'operator',
    input: z.object({ whose, endsAgents: z.boolean().optional() }),
    output: person,
  }),
  deletePerson: endpoint('DELETE /api/operator/people/:whose', {
    summary: 'Operator: permanently deletes an account with all its data.',
    access: 'operator',
    input: z.object({ whose }),
    output: z.object({}),
  }),
  getSettings: endpoint('GET /api/operator/settings', {
    summary: 'Operator: returns the configuration of the process that responds, without secrets.',
    access: 'operator',
    output: z.object({
      version: z.string(),
      node: z.string(),
      roles: z.array(z.string()),
      publicUrl: z.string(),
      dataFolder: z.string(),
      variables: z.array(
        z.object({
          name: z.string(),
          about: z.string(),
          /** Null if not set: the default applies. */
          value: z.string().nullable(),
          /** True if only the presence of a value is shown, not the value. */
          isSecret: z.boolean(),
          /** The default; empty if there is none. */
          fallback: z.string(),
        }),
      ),
    }),
  }),
};
export type Settings = z.infer<(typeof operatorEndpoints)['getSettings']['output']>;

export const installationAuditEndpoints = {
  listInstallationAudit: endpoint('GET /api/operator/audit', {
    summary: 'Operator: lists the audit log of the whole installation, newest first.',
    access: 'operator',
    input: z.object({
      ...auditFilters,
      cursor,
      limit: z.coerce.number().int().min(1).max(limits.auditEntriesMax).default(limits.auditEntriesDefault),
    }),
    output: z.object({ entries: z.array(auditEntrySchema), nextCursor: z.string().nullable() }),
  }),
  exportInstallationAudit: endpoint('GET /api/operator/audit.csv', {
    summary: 'Operator: returns the same as CSV (RFC 4180), at most the newest 10,000 entries.',
    access: 'operator',
    input: z.object(auditFilters),
    output: z.string(),
    attachment: { mediaType: 'text/csv; charset=utf-8; header=present', fileName: 'audit-log.csv' },
  }),
};
