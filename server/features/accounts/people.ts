import { randomUUID } from 'node:crypto';
import type { AuditAction } from '#contract/audit.ts';
import type { OutputOf, ParsedInputOf } from '#contract/endpoint.ts';
import * as limits from '#contract/limits.ts';
import type { operatorEndpoints, Person } from '#contract/operator.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { Row } from '#server/platform/db/schema.ts';
import { makeActionCode } from './action-codes.ts';
import { announcePeople, announceSession } from './announce-session.ts';
import { type AccountDeletion, eraseAccount } from './delete-account.ts';
import { normalizeEmail } from './email-address.ts';
import { endAccess } from './end-access.ts';
import type { IdentityDependencies } from './identity-dependencies.ts';
import { holdUser, insertUser, putPassword, updateUser } from './identity-store.ts';
import { requireOperatorAccount } from './operator-account.ts';
import { requireNewPassword } from './passwords.ts';
import { findPerson, listPeopleRows, type PersonRow, withDetails } from './people-store.ts';
import { deleteWebSessions } from './session-store.ts';
import { localOwnerId } from './store.ts';

const inviteLifetimeMs = limits.inviteLifetimeDays * 24 * 3_600_000;

interface PasswordLink {
  url: string;
  isMailed: boolean;
}

/** Returns the installation's accounts, newest first, one page at a time. Operators only. */
export async function listPeople(
  ctx: Context,
  input: ParsedInputOf<typeof operatorEndpoints.listPeople>,
): Promise<OutputOf<typeof operatorEndpoints.listPeople>> {
  await requireOperatorAccount(ctx);
  const [at = '', id = ''] = input.cursor?.split('.', 2) ?? [];
  const after = input.cursor === undefined ? undefined : { createdAt: Number(at), id };
  const bounds = { rowsMax: input.limit + 1, now: ctx.clock.now() };
  const { rows, count } = await listPeopleRows(ctx.db.query, { query: input.query, after }, bounds);
  const page = rows.slice(0, input.limit);
  const last = rows.length > page.length ? page.at(-1) : undefined;
  return { people: page.map(present), count, nextCursor: last ? `${last.createdAt}.${last.id}` : null };
}

/**
 * Creates an account, even if sign-up is closed. With a password its address counts as verified, because the operator
 * vouches for it. Without one, returns a link that sets the password and verifies the address, and emails it if
 * `isInvited`. Throws if the address already has an account.
 */
export async function createPerson(
  ctx: Context,
  input: ParsedInputOf<typeof operatorEndpoints.createPerson>,
  deps: Pick<IdentityDependencies, 'passwords' | 'mails' | 'background' | 'onAccountCreated'>,
): Promise<{ person: Person; link: PasswordLink | null }> {
  const operatorId = await requireOperatorAccount(ctx);
  const email = normalizeEmail(input.email);
  const { password } = input;
  if (password !== undefined) requireNewPassword(password);
  const hash = password === undefined ? undefined : await deps.passwords.hash(password, operatorId);
  const now = ctx.clock.now();
  const { user, code } = await ctx.db.transaction(async (tx) => {
    const made = await insertUser(tx, {
      ...{ id: randomUUID(), email, createdAt: now, photoUrl: null },
      displayName: input.displayName?.trim() ?? '',
      emailVerifiedAt: hash === undefined ? null : now,
      isOperator: input.isOperator === true ? 1 : 0,
    });
    if (made === undefined) throw new AppError('email-already-in-use');
    await deps.onAccountCreated(tx, made);
    if (hash !== undefined) await putPassword(tx, made.id, hash, now);
    const detail = { email, isInvited: input.isInvited === true, isOperator: input.isOperator === true };
    await recordAudit(tx, now, { actorUserId: operatorId, action: 'account.create', entityId: made.id, detail });
    await announcePeople(tx);
    if (hash !== undefined) return { user: made, code: undefined };
    return {
      user: made,
      code: await makeActionCode(tx, now, 'reset-password', { id: made.id, email }, inviteLifetimeMs),
    };
  });
  if (code === undefined) return { person: await presentOne(ctx, user), link: null };
  const isMailed = input.isInvited === true;
  if (isMailed) deps.background.run('the mail to a new person', () => deps.mails.sendAccountInvite(email, code));
  return { person: await presentOne(ctx, user), link: { url: deps.mails.passwordUrl(code), isMailed } };
}

/**
 * Disables or enables an account, or grants or removes the operator role. A disabled account is signed out everywhere,
 * its keys and applications are refused until it is enabled again, and repositories it vouches for are paused. Throws
 * `operator-kept` for the local owner and the acting operator, and `account-not-verified` for a new operator with an
 * unverified address, since another person may have created that account.
 */
export async function updatePerson(
  ctx: Context,
  input: { whose: string; isDisabled?: boolean | undefined; isOperator?: boolean | undefined },
  deps: Pick<IdentityDependencies, 'onDisabled' | 'onProfileChanged'>,
): Promise<Person> {
  const operatorId = await requireOperatorAccount(ctx);
  const now = ctx.clock.now();
  const changed = await ctx.db.transaction(async (tx) => {
    const user = await holdPerson(tx, input.whose);
    const isLocked = input.isDisabled === true || input.isOperator === false;
    if (isLocked && (user.id === localOwnerId || user.id === operatorId)) throw new AppError('operator-kept');
    const change: Partial<Row<'users'>> = {};
    const record = (action: AuditAction) =>
      recordAudit(tx, now, { actorUserId: operatorId, action, entityId: user.id });
    if (input.isOperator !== undefined && input.isOperator !== (user.isOperator === 1)) {
      if (input.isOperator && user.emailVerifiedAt === null) throw new AppError('account-not-verified');
      change.isOperator = input.isOperator ? 1 : 0;
      await record(input.isOperator ? 'account.make-operator' : 'account.unmake-operator');
    }
    if (input.isDisabled !== undefined && input.isDisabled !== (user.disabledAt !== null)) {
      change.disabledAt = input.isDisabled ? now : null;
      if (input.isDisabled) {
        await deleteWebSessions(tx, user.id);
        await deps.onDisabled(tx, user.id, now);
      }
      await record(input.isDisabled ? 'account.disable' : 'account.enable');
    }
    if (Object.keys(change).length === 0) return user;
    announceSession(tx, user.id);
    // An operator has no balance and no limits.
    if (change.isOperator !== undefined) {
      for (const collection of ['creditTransactions', 'billing'] as const) {
        announceChange(tx, { collection, audience: `user:${user.id}` });
      }
      await deps.onProfileChanged(tx, user.id);
    }
    await announcePeople(tx);
    return (await updateUser(tx, user.id, change)) ?? user;
  });
  return presentOne(ctx, changed);
}

/**
 * Returns a link that sets a new password, and emails it on request. Earlier links stop working; password and sessions
 * stay until it is used. Throws `missing-email` for an account without an address, which signs in with links from the
 * command line.
 */
export async function createPasswordLink(
  ctx: Context,
  input: { whose: string; isMailed?: boolean | undefined },
  deps: Pick<IdentityDependencies, 'mails' | 'background'>,
): Promise<PasswordLink> {
  const operatorId = await requireOperatorAccount(ctx);
  const now = ctx.clock.now();
  const { email, isNew, code } = await ctx.db.transaction(async (tx) => {
    const user = await holdPerson(tx, input.whose);
    if (user.email === null)
      throw new AppError('invalid-input', { values: { reason: 'this account has no email address' } });
    const [row] = await withDetails(tx, [user], now);
    const isUnused = user.emailVerifiedAt === null && row?.hasPassword === false;
    const recipient = { id: user.id, email: user.email };
    await recordAudit(tx, now, { actorUserId: operatorId, action: 'password.link', entityId: user.id });
    const made = await makeActionCode(tx, now, 'reset-password', recipient, isUnused ? inviteLifetimeMs : undefined);
    await announcePeople(tx);
    return { email: user.email, isNew: isUnused, code: made };
  });
  const isMailed = input.isMailed === true;
  if (isMailed) {
    const send = isNew ? deps.mails.sendAccountInvite : deps.mails.sendReset;
    deps.background.run('the mail with a link for a password', () => send(email, code));
  }
  return { url: deps.mails.passwordUrl(code), isMailed };
}

/** Signs an account out of all browsers; `endsAgents` also revokes its API keys and disconnects its applications. */
export async function endSessionsOf(
  ctx: Context,
  input: { whose: string; endsAgents?: boolean | undefined },
  deps: Pick<IdentityDependencies, 'endAgentAccess'>,
): Promise<Person> {
  const operatorId = await requireOperatorAccount(ctx);
  const now = ctx.clock.now();
  const user = await ctx.db.transaction(async (tx) => {
    const held = await holdPerson(tx, input.whose);
    const endsAgents = input.endsAgents === true;
    const ownSession = ctx.actor.kind === 'user' && held.id === operatorId ? ctx.actor.sessionId : undefined;
    await endAccess(tx, held.id, now, endsAgents ? deps : { endAgentAccess: async () => undefined }, ownSession);
    const entry = { actorUserId: operatorId, entityId: held.id, detail: { endsAgents } };
    await recordAudit(tx, now, { ...entry, action: 'account.end-sessions' });
    await announcePeople(tx);
    return held;
  });
  return presentOne(ctx, user);
}

/**
 * Deletes an account with all its data, as its owner could. Throws for operators (`operator-not-deletable`) and for
 * accounts that a team depends on. A second call finds no account.
 */
export async function deletePerson(
  ctx: Context,
  input: { whose: string },
  deps: Pick<IdentityDependencies, 'mails' | 'background'> & { deletion: AccountDeletion },
): Promise<void> {
  const operatorId = await requireOperatorAccount(ctx);
  const user = await findPerson(ctx.db.query, input.whose);
  if (user === undefined) throw new AppError('user-not-found');
  if (user.isOperator === 1) throw new AppError('operator-not-deletable');
  await eraseAccount(ctx, user.id, deps.deletion, operatorId);
  const { email } = user;
  if (email !== null)
    deps.background.run('the mail about a deleted account', () => deps.mails.sendAccountDeleted(email));
}

async function holdPerson(tx: Transaction, whose: string): Promise<Row<'users'>> {
  const found = await findPerson(tx, whose);
  const user = found && (await holdUser(tx, found.id));
  if (user === undefined) throw new AppError('user-not-found');
  return user;
}

async function presentOne(ctx: Context, user: Row<'users'>): Promise<Person> {
  const [row] = await withDetails(ctx.db.query, [user], ctx.clock.now());
  return present(row as PersonRow);
}

function present(row: PersonRow): Person {
  return {
    userId: row.id,
    email: row.email,
    displayName: row.displayName,
    isOperator: row.isOperator === 1,
    isLocalOwner: row.id === localOwnerId,
    isEmailVerified: row.emailVerifiedAt !== null,
    hasPassword: row.hasPassword,
    disabledAt: row.disabledAt,
    createdAt: row.createdAt,
    lastSeenAt: row.lastSeenAt,
    sessions: row.sessions,
    apiKeys: row.apiKeys,
    tier: row.tier,
    credits: row.credits,
  };
}
