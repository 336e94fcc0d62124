import { type AuditEntry, auditActions } from '#contract/audit.ts';
import { teamRoles } from '#contract/teams.ts';
import { roleTexts } from './roles.ts';

/** The log's filter options, which are the first words of action names. */
export const logParts = [
  { value: 'all', label: 'Everything' },
  { value: 'member', label: 'Members' },
  { value: 'invite', label: 'Invites' },
  { value: 'key', label: 'API keys' },
  { value: 'connection', label: 'Applications' },
  { value: 'module', label: 'Sources' },
  { value: 'pdf-set', label: 'PDF sets' },
  { value: 'index-request', label: 'Agent requests' },
  { value: 'repository', label: 'Repositories' },
  { value: 'profile', label: 'Projects' },
  { value: 'source-credential', label: 'Source credentials' },
  { value: 'team', label: 'Team' },
  { value: 'seats', label: 'Seats' },
  { value: 'subscription', label: 'Subscription' },
  { value: 'checkout', label: 'Payment pages' },
  { value: 'credits', label: 'Credits' },
  { value: 'sign-on', label: 'Single sign-on' },
] as const;
export type LogPart = (typeof logParts)[number]['value'];

/** Returns an action's label, or its name if it has none. */
export function actionOf({ action }: AuditEntry): string {
  return (auditActions as Record<string, string>)[action] ?? action;
}

/** Returns an entry's details besides its target, or undefined if there are none. */
export function remarkOf({ action, detail }: AuditEntry): string | undefined {
  const [from, to, role] = [roleIn(detail.from), roleIn(detail.to), roleIn(detail.role)];
  if (from !== undefined && to !== undefined) return `from ${from.label} to ${to.label}`;
  if (role !== undefined) return `as ${role.asOne}`;
  if (action === 'team.create' && detail.isIndexMoved === true) return 'with their private index';
  if (action === 'module.rename' && typeof detail.name === 'string') return `to “${detail.name}”`;
  if (action === 'team.update' && typeof detail.showsKeysOnce === 'boolean')
    return detail.showsKeysOnce ? 'keys are shown once' : 'keys can be shown again';
  return undefined;
}

function roleIn(value: unknown): (typeof roleTexts)[keyof typeof roleTexts] | undefined {
  const role = teamRoles.find((known) => known === value);
  return role && roleTexts[role];
}
