import type { Transaction } from '#server/platform/db/database.ts';
import type { Row } from '#server/platform/db/schema.ts';
import { announceSession } from './announce-session.ts';
import type { IdentityDependencies } from './identity-dependencies.ts';
import { deleteActionCodes, deleteIdentities, deletePassword, putPassword } from './identity-store.ts';
import { deleteWebSessions } from './session-store.ts';

type EndAccess = Pick<IdentityDependencies, 'endAgentAccess' | 'endLinks'>;

/** Ends an account's sessions, reset links, API keys and connected applications; one session can be excepted. */
export async function endAccess(
  tx: Transaction,
  userId: string,
  now: number,
  deps: Pick<EndAccess, 'endAgentAccess'>,
  exceptSessionId?: string,
): Promise<void> {
  await deleteWebSessions(tx, userId, exceptSessionId);
  await deleteActionCodes(tx, userId, 'reset-password');
  await deps.endAgentAccess(tx, userId, now);
  announceSession(tx, userId);
}

/**
 * Hands an account with an unverified address to the person who has just proved to own the address: another person may
 * have created the account, so all their access ends. `passwordHash` is the new owner's; without it the account has no
 * password.
 */
export async function takeOver(
  tx: Transaction,
  user: Pick<Row<'users'>, 'id'>,
  now: number,
  deps: EndAccess,
  passwordHash?: string,
): Promise<void> {
  await deleteIdentities(tx, user.id);
  if (passwordHash === undefined) await deletePassword(tx, user.id);
  else await putPassword(tx, user.id, passwordHash, now);
  await endAccess(tx, user.id, now, deps);
  await deps.endLinks(tx, user.id, now);
}
