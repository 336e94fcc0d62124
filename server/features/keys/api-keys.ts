import { randomUUID } from 'node:crypto';
import type { KeyRight } from '#contract/endpoint.ts';
import { type ApiKey, maskApiKey } from '#contract/keys.ts';
import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Context, TeamMembership } from '#server/context.ts';
import {
  confirmSession,
  hashToken,
  holdUser,
  requirePerson,
  requireWithinOwnRate,
} from '#server/features/accounts/index.ts';
import { confirmRight, membershipSince, requireRight } from '#server/features/teams/index.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import type { Queries, Transaction } from '#server/platform/db/database.ts';
import type { Row } from '#server/platform/db/schema.ts';
import { type SealedValue, type SealingKeys, seal, unseal } from '#server/platform/sealing.ts';
import { isWellFormedApiKey, newApiKey, unreadableMask } from './key-format.ts';
import {
  isActive,
  isRevealable,
  requireKeyInCharge,
  requireKeyOwner,
  requireVerifiedEmail,
  rightsOf,
} from './policy.ts';
import {
  countOpenKeys,
  deleteTeamKeys,
  findApiKey,
  findApiKeyByHash,
  insertApiKey,
  type ListedKey,
  listApiKeyRows,
  listApiKeyRowsOfMaker,
  listRevealTimes,
  markApiKeyRevoked,
  markKeysRevoked,
  markTeamKeysRevoked,
  touchApiKey,
} from './store.ts';

interface NewKey {
  name: string;
  teamId?: string | undefined;
  mayAskToIndex?: boolean;
  hasDeepResearchTools?: boolean;
  rights?: readonly KeyRight[];
}

/**
 * Creates a key for a user with a verified email address, in the given team or current workspace, with rights that the
 * user has; a key cannot create another. The secret is returned once and stored only hashed (for lookup) and sealed
 * (for reveal).
 */
export async function createApiKey(
  ctx: Context,
  input: NewKey,
  sealingKeys: SealingKeys,
): Promise<{ key: ApiKey; secret: string }> {
  const owner = await requireKeyOwner(ctx, input);
  const { userId, teamId } = owner;
  const name = input.name.trim();
  if (name === '') throw new AppError('key-name-empty');
  await requireVerifiedEmail(ctx);
  await requireWithinOwnRate(ctx, userId, { account: 'key-account', address: 'key-address' });
  const rights = input.rights ?? ['search'];
  const changesSources = rights.some((right) => right !== 'search');
  if (changesSources) requireRight(owner.acting, 'sources.write');
  const secret = newApiKey();
  const id = randomUUID();
  const now = ctx.clock.now();
  const key = await ctx.db.transaction(async (tx) => {
    await confirmSession(tx, ctx);
    await confirmRight(tx, owner.acting, 'keys.own');
    if (changesSources) await confirmRight(tx, owner.acting, 'sources.write');
    await holdUser(tx, userId);
    if ((await countOpenKeys(tx, userId)) >= limits.keysPerPersonMax) {
      throw new AppError('keys-too-many', { values: { limit: limits.keysPerPersonMax } });
    }
    await insertApiKey(tx, {
      ...{ id, userId, teamId, name },
      keyHash: hashToken(secret),
      keySealed: seal(sealingKeys, id, secret),
      clientKind: input.hasDeepResearchTools === true ? 'deep-research' : null,
      createdAt: now,
      lastUsedAt: null,
      revokedAt: null,
      mayAskToIndex: Number(input.mayAskToIndex === true),
      rights: rights.join(','),
    });
    await recordAudit(tx, now, {
      actorUserId: userId,
      action: 'key.create',
      entityId: id,
      ...(teamId !== null && { teamId }),
      ...((teamId !== null || changesSources) && {
        detail: {
          name,
          ...(input.mayAskToIndex === true && { mayAskToIndex: true }),
          ...(changesSources && { rights: [...rights] }),
        },
      }),
    });
    announceKey(tx, owner);
    return findApiKey(tx, owner, id);
  });
  if (key === undefined) throw new Error('a key that was made is not there');
  return { key: presentApiKey(key, userId, sealingKeys), secret };
}

/** Notifies a key's owner, whose streams with it may have to end, and the team that lists the key. */
function announceKey(tx: Transaction, { userId, teamId }: { userId: string; teamId: string | null }): void {
  announceChange(tx, { collection: 'apiKeys', audience: `user:${userId}` });
  if (teamId !== null) announceChange(tx, { collection: 'apiKeys', audience: `team:${teamId}` });
}

/**
 * Returns the caller's keys, newest first, including revoked ones: personal keys, or those of a team; an admin gets
 * everyone's keys in the team, all of them masked.
 */
export async function listApiKeys(
  ctx: Context,
  input: { teamId?: string | undefined },
  sealingKeys: SealingKeys,
): Promise<ApiKey[]> {
  const owner = await requireKeyOwner(ctx, input);
  const rows = await listApiKeyRows(ctx.db.query, owner);
  return rows.map((row) => presentApiKey(row, owner.userId, sealingKeys));
}

/** Returns all keys the caller created, personal ones and in any team, including former teams. */
export async function listKeysOfMaker(ctx: Context, sealingKeys: SealingKeys): Promise<ApiKey[]> {
  const userId = requirePerson(ctx);
  const rows = await listApiKeyRowsOfMaker(ctx.db.query, userId);
  return rows.map((row) => presentApiKey(row, userId, sealingKeys));
}

/**
 * Returns a key as lists show it to this user. A key sealed under a lost secret cannot be revealed, but must still be
 * listed and revocable.
 */
function presentApiKey(row: ListedKey, userId: string, sealingKeys: SealingKeys): ApiKey {
  const secret = unseal(sealingKeys, row.id, row.keySealed);
  return {
    id: row.id,
    userId: row.userId,
    teamId: row.teamId,
    ...(row.teamId === null ? {} : { userName: row.displayName || (row.email ?? '') }),
    name: row.name,
    maskedKey: secret === undefined ? unreadableMask : maskApiKey(secret),
    createdAt: row.createdAt,
    lastUsed: row.lastUsedAt,
    isActive: isActive(row),
    mayAskToIndex: row.mayAskToIndex === 1,
    hasDeepResearchTools: row.clientKind === 'deep-research',
    rights: rightsOf(row),
    isRevealable: secret !== undefined && isRevealable(row, userId),
  };
}

const hourMs = 3_600_000;
const action = 'key.reveal';

/**
 * Returns a key in full to its owner, and records that. Throws for revoked keys, keys of a team that shows them once,
 * keys sealed under a lost secret, and above `keyRevealsPerHourMax` reveals per user and hour. Another user's key is
 * reported as not found, or to admins of its team as not permitted.
 */
export async function revealApiKey(
  ctx: Context,
  input: { keyId: string },
  sealingKeys: SealingKeys,
): Promise<{ secret: string }> {
  const userId = requirePerson(ctx);
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    const row = await requireKeyInCharge(ctx, tx, input.keyId);
    // Admins can revoke others' keys, but not use them.
    if (row.userId !== userId)
      throw new AppError('permission-denied', {
        values: { need: ' Only the person who created a key can reveal it.' },
      });
    if (!isActive(row)) throw new AppError('key-revoked');
    if (!isRevealable(row, userId)) throw new AppError('key-shown-once');
    const secret = unseal(sealingKeys, row.id, row.keySealed);
    if (secret === undefined) throw new AppError('key-unreadable');
    await requireWithinRate(tx, userId, now);
    await recordAudit(tx, now, {
      actorUserId: userId,
      action,
      entityId: row.id,
      ...(row.teamId === null ? {} : { teamId: row.teamId, detail: { name: row.name } }),
    });
    return { secret };
  });
}

async function requireWithinRate(tx: Transaction, userId: string, now: number): Promise<void> {
  const times = await listRevealTimes(tx, { userId, action, since: now - hourMs, count: limits.keyRevealsPerHourMax });
  const oldest = times[limits.keyRevealsPerHourMax - 1];
  if (oldest === undefined) return;
  throw new AppError('rate-limited', { values: { seconds: Math.ceil((oldest + hourMs - now) / 1000) } });
}

/** Returns the revealable API keys of all users. */
export async function listSealedKeys(db: Queries): Promise<SealedValue[]> {
  const rows = await db.selectFrom('apiKeys').select(['id', 'keySealed']).where('keySealed', '<>', '').execute();
  return rows.map(({ id, keySealed }) => ({
    ...{ what: 'API keys', label: id, sealed: keySealed },
    async replace(sealed) {
      const row = db.updateTable('apiKeys').set({ keySealed: sealed });
      await row.where('id', '=', id).where('keySealed', '=', keySealed).execute();
    },
  }));
}

/**
 * Revokes a key permanently: the caller's own or, for admins, any key of the team. Other keys are reported as not
 * found; idempotent.
 */
export async function revokeApiKey(ctx: Context, input: { keyId: string }, sealingKeys: SealingKeys): Promise<ApiKey> {
  const userId = requirePerson(ctx);
  const now = ctx.clock.now();
  const row = await ctx.db.transaction(async (tx) => {
    const { teamId, name, userId: ownerId } = await requireKeyInCharge(ctx, tx, input.keyId);
    if (await markApiKeyRevoked(tx, input.keyId, now)) {
      const ofTeam = teamId === null ? {} : { teamId, detail: { name, ownerId } };
      await recordAudit(tx, now, { actorUserId: userId, action: 'key.revoke', entityId: input.keyId, ...ofTeam });
      announceKey(tx, { userId: ownerId, teamId });
    }
    return requireKeyInCharge(ctx, tx, input.keyId);
  });
  return presentApiKey(row, userId, sealingKeys);
}

/** Revokes all keys that a user created, in teams too, because another person may have created them. */
export async function revokeAllKeys(tx: Transaction, userId: string, now: number): Promise<void> {
  for (const { id: entityId, name, teamId } of await markKeysRevoked(tx, userId, now)) {
    const ofTeam = teamId === null ? {} : { teamId };
    const detail = { name, reason: 'access-ended' };
    await recordAudit(tx, now, { actorUserId: null, action: 'key.revoke', entityId, ...ofTeam, detail });
    announceKey(tx, { userId, teamId });
  }
}

/** Revokes the team keys of a former member. */
export async function revokeTeamKeysOf(
  tx: Transaction,
  member: { teamId: string; userId: string },
  now: number,
): Promise<void> {
  const { teamId } = member;
  const revoked = await markTeamKeysRevoked(tx, member, now);
  for (const { id: entityId, name } of revoked) {
    const detail = { name, reason: 'member-gone' };
    await recordAudit(tx, now, { actorUserId: null, action: 'key.revoke', entityId, teamId, detail });
  }
  if (revoked.length > 0) announceKey(tx, member);
}

/** Deletes the keys of a deleted team: each is refused from its next call on. */
export async function removeTeamKeys(tx: Transaction, teamId: string): Promise<void> {
  for (const userId of await deleteTeamKeys(tx, teamId)) announceKey(tx, { userId, teamId });
}

/**
 * Returns the row of a valid key, with the membership it acts under if it is a team's. Throws the same error for
 * unknown, revoked and mistyped keys and those of former members; mistyped ones need no lookup. The time of use is
 * updated at most every five minutes; a failure to write it does not prevent reading.
 */
export async function verifyApiKey(
  ctx: Pick<Context, 'db' | 'clock' | 'log'>,
  secret: string,
  publicUrl: string,
): Promise<Row<'apiKeys'> & { membership: TeamMembership | undefined }> {
  const refusal = () => new AppError('key-refused', { values: { address: publicUrl } });
  const row = isWellFormedApiKey(secret) ? await findApiKeyByHash(ctx.db.query, hashToken(secret)) : undefined;
  if (row === undefined || row.revokedAt !== null) throw refusal();
  const { teamId } = row;
  const membership = teamId === null ? undefined : await membershipSince(ctx.db.query, { ...row, teamId });
  if (teamId !== null && membership === undefined) throw refusal();
  const now = ctx.clock.now();
  const notAfter = now - limits.keyLastUsedEveryMinutes * 60_000;
  if (row.lastUsedAt === null || row.lastUsedAt < notAfter) {
    const touch = (tx: Transaction) => touchApiKey(tx, row.id, now, notAfter);
    await ctx.db.transaction(touch, { durability: 'process' }).catch((error: unknown) => {
      ctx.log.warn({ err: error }, 'the last use of a key could not be written');
    });
  }
  return { ...row, membership };
}
