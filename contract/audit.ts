import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import * as limits from './limits.ts';

/** Actions in a team's log, with their labels. */
export const teamAuditActions = {
  'team.create': 'Created the team',
  'team.update': 'Changed the settings',
  'team.delete': 'Deleted the team',
  'invite.create': 'Invited',
  'invite.resend': 'Sent the invite again',
  'invite.withdraw': 'Withdrew the invite',
  'invite.accept': 'Joined',
  'invite.decline': 'Declined the invite',
  'member.join': 'Joined by single sign-on',
  'member.set-role': 'Changed the role',
  'member.remove': 'Removed',
  'member.leave': 'Left',
  'key.create': 'Created an API key',
  'key.reveal': 'Revealed an API key',
  'key.revoke': 'Revoked an API key',
  'connection.allow': 'Allowed an application',
  'connection.open': 'Connected an application',
  'connection.revoke': 'Disconnected an application',
  'connection.end': 'Ended an application’s access',
  'module.index': 'Indexed',
  'module.rename': 'Renamed a source',
  'module.remove': 'Removed from the index',
  'index-request.ask': 'An agent requested a source',
  'index-request.approve': 'Approved an agent’s request',
  'index-request.decline': 'Declined an agent’s request',
  'source-credential.add': 'Stored a credential for a source',
  'source-credential.remove': 'Removed a credential for a source',
  'pdf-set.create': 'Created a PDF set',
  'pdf-set.rename': 'Renamed a PDF set',
  'pdf-set.add-file': 'Added a file to a PDF set',
  'pdf-set.remove-file': 'Removed a file from a PDF set',
  'pdf-set.index': 'Indexed a PDF set',
  'pdf-set.remove': 'Removed a PDF set',
  'profile.set': 'Pinned a project’s libraries',
  'profile.remove': 'Removed a project',
  'repository.add': 'Added a repository',
  'repository.pause': 'A repository was paused',
  'repository.resume': 'Resumed a repository',
  'repository.webhook': 'Created a webhook for a repository',
  'repository.webhook-removed': 'Removed a repository’s webhook',
  'seats.assign': 'Assigned paid seats',
  'checkout.open': 'Opened a payment page',
  'subscription.change': 'Asked to change the subscription',
  'subscription.update': 'The subscription changed',
  'subscription.cancel': 'Asked to cancel the subscription',
  'subscription.resume': 'Asked to resume the subscription',
  'credits.purchase': 'Credits were purchased',
  'credits.refund': 'Purchased credits were refunded',
  'sign-on.set': 'Set up single sign-on',
  'sign-on.prove': 'Proved the domain for single sign-on',
  'sign-on.lapse': 'The domain’s proof lapsed',
  'sign-on.remove': 'Turned off single sign-on',
} as const;

/** All audited actions of an installation, with their labels. */
export const auditActions = {
  ...teamAuditActions,
  'account.create': 'Created an account',
  'account.claim': 'Gave the local owner an email address',
  'account.delete': 'Deleted an account',
  'account.disable': 'Disabled an account',
  'account.enable': 'Enabled an account',
  'account.make-operator': 'Made an account an operator',
  'account.unmake-operator': 'Removed the operator role from an account',
  'account.end-sessions': 'Signed an account out',
  'session.open': 'Signed in',
  'session.end': 'Ended a session',
  'password.link': 'Created a password link',
  'password.ask-reset': 'Requested a new password',
  'password.change': 'Changed the password',
  'password.reset': 'Set a new password with a link',
  'email.verify': 'Verified an email address',
  'email.disown': 'Disowned an email address',
  'identity.link': 'Linked a sign-in method',
  'profile.update': 'Changed the display name',
  'marketing-consent.update': 'Changed the consent to updates',
  'credits.adjust': 'Adjusted the credits',
  'payment.refuse': 'Refused a payment; refund it at the provider',
  'incident.open': 'Opened an incident',
  'incident.update': 'Updated an incident',
  'incident.resolve': 'Resolved an incident',
  'hosting.connect': 'Connected a code host',
  'hosting.disconnect': 'Disconnected a code host',
  'hosting.reconnect-needed': 'A code host must be connected again',
  'git-host.forget': 'Forgot the key of a git host',
  'module.accept': 'Accepted a held version',
  'module.probes': 'Changed the probe questions',
  'chat.rename': 'Renamed a conversation',
  'chat.remove': 'Deleted a conversation',
  'chat.remove-all': 'Deleted all conversations',
  'conf.sign-up': 'Signed up for the conference',
  'conf.confirm': 'Confirmed a sign-up for the conference',
  'conf.leave': 'Left the conference',
} as const;
export type AuditAction = keyof typeof auditActions;
/** The first words of actions. */
export type AuditNoun = AuditAction extends `${infer Noun}.${string}` ? Noun : never;

export const auditEntrySchema = z.object({
  id: z.string(),
  at: z.int(),
  /** `noun.verb`; the actions in `auditActions` have labels. */
  action: z.string(),
  /** The user who did it; null for the system or a deleted account. */
  actor: z.object({ userId: z.string(), displayName: z.string(), email: z.string().nullable() }).nullable(),
  entityId: z.string(),
  /** Name of the target, if still known. */
  entityName: z.string().nullable(),
  /** The team it happened in; its name is null once the team is deleted. */
  team: z.object({ teamId: z.string(), name: z.string().nullable() }).nullable(),
  detail: z.record(z.string(), z.unknown()),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

const filters = {
  teamId: z.string().min(1).max(100),
  /** An action, such as `member.remove`, or a noun for all of its actions, such as `member`. */
  action: z
    .string()
    .max(50)
    .regex(/^[a-z-]+(\.[a-z-]+)?$/, 'give an action such as member.remove, or a noun such as member')
    .optional(),
};

export const auditEndpoints = {
  listAudit: endpoint('GET /api/teams/:teamId/audit', {
    summary: 'Lists the audit log of a team that you are an admin of, newest first.',
    right: 'audit.read',
    input: z.object({
      ...filters,
      /** `nextCursor` of the previous page. */
      cursor: z
        .string()
        .max(100)
        .regex(/^\d{1,15}\.[\w-]+$/, 'give the nextCursor of the previous page')
        .optional(),
      limit: z.coerce.number().int().min(1).max(limits.auditEntriesMax).default(limits.auditEntriesDefault),
    }),
    output: z.object({ entries: z.array(auditEntrySchema), nextCursor: z.string().nullable() }),
  }),
  exportAudit: endpoint('GET /api/teams/:teamId/audit.csv', {
    summary: 'Returns the same as CSV (RFC 4180), at most the newest 10,000 entries.',
    right: 'audit.read',
    input: z.object(filters),
    output: z.string(),
    attachment: { mediaType: 'text/csv; charset=utf-8; header=present', fileName: 'audit-log.csv' },
  }),
};
