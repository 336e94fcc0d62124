import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import type { SealingKeys } from '#server/platform/sealing.ts';
import { freshDatabase, onEachDatabase } from '#test/services/database.ts';
import { silentLog } from '#test/services/log.ts';
import { userRow } from '#test/services/rows.ts';
import { actingInTeam, leaveSampleTeam, sampleTeam } from '#test/services/sample-team.ts';
import { createSettableClock, type SettableClock } from '#test/services/settable-clock.ts';
import { createApiKey, listApiKeys, removeTeamKeys, revealApiKey, revokeApiKey, verifyApiKey } from './api-keys.ts';
import { newApiKey } from './key-format.ts';

const sealingKeys: SealingKeys = [randomBytes(32)];
const address = 'https://docs.example';
type Sample = Context & { clock: SettableClock };

onEachDatabase('team keys', (kind) => {
  /** Anna is an admin, Bert a writer and Carl a reader of one team; Dora is in another. */
  async function tenants() {
    const db = await freshDatabase(kind);
    const teamId = await sampleTeam(db, { name: 'Acme', members: { anna: 'admin', bert: 'writer', carl: 'reader' } });
    const otherId = await sampleTeam(db, { members: { dora: 'admin' } });
    const own: Sample = {
      ...{ actor: { kind: 'anonymous' }, workspace: null },
      ...{ db, clock: createSettableClock(), log: silentLog, requestId: 'r' },
    };
    const as = (userId: string): Sample => ({
      ...own,
      actor: { kind: 'user', userId },
      workspace: `user:${userId}`,
    });
    return { db, teamId, otherId, as, inTeam: (userId: string) => actingInTeam(own, userId, teamId) };
  }
  const faultOf = async (work: Promise<unknown>) => {
    const { code, message } = (await work.then(
      () => ({ code: 'none', message: '' }),
      (error: unknown) => error,
    )) as { code: string; message: string };
    return { code, message };
  };

  test('a member creates a team key by acting in the team or naming it; the key belongs to the team', async () => {
    const { as, inTeam, teamId } = await tenants();
    const carl = await inTeam('carl');
    const acting = await createApiKey(carl, { name: 'one' }, sealingKeys);
    carl.clock.advance(1);
    const naming = await createApiKey(as('carl'), { name: 'two', teamId }, sealingKeys);
    expect(acting.key).toMatchObject({ teamId, userId: 'carl', userName: 'carl', isActive: true, isRevealable: true });
    expect(await listApiKeys(carl, {}, sealingKeys)).toEqual([naming.key, acting.key]);
    expect(await listApiKeys(as('carl'), { teamId }, sealingKeys)).toEqual([naming.key, acting.key]);
    expect(await listApiKeys(as('carl'), {}, sealingKeys)).toEqual([]);
    const { membership } = await verifyApiKey(carl, acting.secret, address);
    expect(membership).toMatchObject({ teamId, role: 'reader' });
  });

  test('members see their own team keys, admins those of all members with their creators; only creators reveal them', async () => {
    const { inTeam } = await tenants();
    const [anna, bert, carl] = [await inTeam('anna'), await inTeam('bert'), await inTeam('carl')];
    const { key, secret } = await createApiKey(bert, { name: 'Laptop' }, sealingKeys);
    expect(await listApiKeys(carl, {}, sealingKeys)).toEqual([]);
    expect(await listApiKeys(anna, {}, sealingKeys)).toMatchObject([
      { id: key.id, userName: 'bert', isRevealable: false },
    ]);
    expect(await faultOf(revealApiKey(anna, { keyId: key.id }, sealingKeys))).toMatchObject({
      code: 'permission-denied',
    });
    expect(await revealApiKey(bert, { keyId: key.id }, sealingKeys)).toEqual({ secret });
  });

  test('a team key looks nonexistent to everyone who cannot manage it', async () => {
    const { as, inTeam, teamId } = await tenants();
    const { key } = await createApiKey(await inTeam('bert'), { name: 'a' }, sealingKeys);
    for (const stranger of [await inTeam('carl'), as('carl'), as('dora'), as('nobody')]) {
      for (const verb of [revealApiKey, revokeApiKey]) {
        const foreign = await faultOf(verb(stranger, { keyId: key.id }, sealingKeys));
        expect(foreign).toEqual(await faultOf(verb(stranger, { keyId: 'missing' }, sealingKeys)));
        expect(foreign.code).toBe('key-not-found');
      }
    }
    for (const verb of [createApiKey, listApiKeys]) {
      const foreign = await faultOf(verb(as('dora'), { name: 'x', teamId }, sealingKeys));
      expect(foreign).toEqual(await faultOf(verb(as('dora'), { name: 'x', teamId: 'missing' }, sealingKeys)));
      expect(foreign.code).toBe('team-not-found');
    }
  });

  test('an admin can revoke any team key from any workspace, once, and the team’s audit log records it', async () => {
    const { db, as, inTeam, teamId } = await tenants();
    const { key, secret } = await createApiKey(await inTeam('bert'), { name: 'Laptop' }, sealingKeys);
    const revoked = await Promise.all([
      revokeApiKey(as('anna'), { keyId: key.id }, sealingKeys),
      revokeApiKey(await inTeam('anna'), { keyId: key.id }, sealingKeys),
    ]);
    expect(revoked.map(({ isActive }) => isActive)).toEqual([false, false]);
    expect(await faultOf(verifyApiKey(as('bert'), secret, address))).toMatchObject({ code: 'key-refused' });
    const audit = await db.query.selectFrom('auditLog').selectAll().where('teamId', '=', teamId).execute();
    const lines = audit.map(({ action, actorUserId, entityId }) => [action, actorUserId, entityId]);
    expect(lines.toSorted(([a = ''], [b = '']) => (a ?? '').localeCompare(b ?? ''))).toEqual([
      ['key.create', 'bert', key.id],
      ['key.revoke', 'anna', key.id],
    ]);
    expect(JSON.stringify(audit)).not.toContain(secret);
  });

  test('the key of a former member is refused, listed as inactive and stays so after they return', async () => {
    const { db, as, inTeam, teamId } = await tenants();
    const bert = await inTeam('bert');
    const { key, secret } = await createApiKey(bert, { name: 'a' }, sealingKeys);
    await leaveSampleTeam(db, teamId, 'bert');
    const unknown = await faultOf(verifyApiKey(bert, newApiKey(), address));
    expect(await faultOf(verifyApiKey(bert, secret, address))).toEqual(unknown);
    expect(await faultOf(revealApiKey(as('bert'), { keyId: key.id }, sealingKeys))).toMatchObject({
      code: 'key-not-found',
    });
    expect(await listApiKeys(await inTeam('anna'), {}, sealingKeys)).toMatchObject([{ id: key.id, isActive: false }]);
    const at = bert.clock.now() + 1;
    const back = { id: 'back', teamId, userId: 'bert', role: 'writer', state: 'accepted' } as const;
    await db.query
      .insertInto('memberships')
      .values({ ...back, joinedAt: at, acceptedAt: at })
      .execute();
    bert.clock.advance(2);
    expect(await faultOf(verifyApiKey(bert, secret, address))).toEqual(unknown);
    expect(await listApiKeys(await inTeam('bert'), {}, sealingKeys)).toMatchObject([
      { isActive: false, isRevealable: false },
    ]);
  });

  test('a team that shows its keys once never reveals them again', async () => {
    const { db, inTeam, teamId } = await tenants();
    const bert = await inTeam('bert');
    const { key, secret } = await createApiKey(bert, { name: 'a' }, sealingKeys);
    await db.query.updateTable('teams').set({ showsKeysOnce: 1 }).where('id', '=', teamId).execute();
    expect(await faultOf(revealApiKey(bert, { keyId: key.id }, sealingKeys))).toMatchObject({ code: 'key-shown-once' });
    expect(await listApiKeys(bert, {}, sealingKeys)).toMatchObject([{ id: key.id, isRevealable: false }]);
    expect(await verifyApiKey(bert, secret, address)).toMatchObject({ id: key.id });
  });

  test('the keys of a deleted team are refused, and other keys still work', async () => {
    const { db, inTeam, teamId, otherId, as } = await tenants();
    const gone = await createApiKey(await inTeam('bert'), { name: 'a' }, sealingKeys);
    const kept = await createApiKey(as('dora'), { name: 'b', teamId: otherId }, sealingKeys);
    await db.transaction((tx) => removeTeamKeys(tx, teamId));
    expect(await faultOf(verifyApiKey(as('bert'), gone.secret, address))).toMatchObject({ code: 'key-refused' });
    expect(await verifyApiKey(as('dora'), kept.secret, address)).toMatchObject({ id: kept.key.id });
  });

  test('a team key cannot manage keys, of the team or of others', async () => {
    const { as, inTeam, teamId } = await tenants();
    const anna = await inTeam('anna');
    const { key } = await createApiKey(anna, { name: 'a' }, sealingKeys);
    const agent: Context = { ...anna, actor: { kind: 'key', userId: 'anna', keyId: key.id, clientKind: null } };
    for (const ctx of [agent, { ...as('anna'), actor: agent.actor }]) {
      for (const work of [
        createApiKey(ctx, { name: 'b', teamId }, sealingKeys),
        listApiKeys(ctx, { teamId }, sealingKeys),
        revealApiKey(ctx, { keyId: key.id }, sealingKeys),
        revokeApiKey(ctx, { keyId: key.id }, sealingKeys),
      ]) {
        expect(await faultOf(work)).toMatchObject({ code: 'permission-denied' });
      }
    }
  });

  test('a member with an unverified address cannot create keys', async () => {
    const { db, teamId, as } = await tenants();
    await db.query
      .insertInto('users')
      .values(userRow({ id: 'eva' }))
      .execute();
    const member = { id: 'eva', teamId, userId: 'eva', role: 'writer', state: 'accepted' } as const;
    await db.query
      .insertInto('memberships')
      .values({ ...member, joinedAt: 0, acceptedAt: 0 })
      .execute();
    expect(await faultOf(createApiKey(as('eva'), { name: 'a', teamId }, sealingKeys))).toMatchObject({
      code: 'email-not-verified',
    });
  });
});
