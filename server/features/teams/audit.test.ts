import { expect, test } from 'vitest';
import { auditActions } from '#contract/audit.ts';
import * as limits from '#contract/limits.ts';
import { onEachDatabase } from '#test/services/database.ts';
import { refusal } from '#test/services/sample-identity.ts';
import { addressOf, openTeamSample } from '#test/services/sample-installation.ts';
import { deleteOldAudit } from './audit-store.ts';
import { updateTeam } from './change-teams.ts';
import { exportAudit, listAudit } from './list-audit.ts';
import { removeMember, setRole } from './members.ts';

onEachDatabase('the audit log of a team', (kind) => {
  async function openSample() {
    const sample = await openTeamSample(kind);
    const { clock } = sample.visitor;
    const anna = await sample.person('anna');
    const teamId = await sample.found(anna, '=SUM(A1)');
    clock.advance(1_000);
    const bert = await sample.member(anna, teamId, 'bert', 'reader');
    clock.advance(1_000);
    const membershipId = await sample.membershipId(anna, teamId, addressOf('bert'));
    await setRole(anna, { teamId, membershipId, role: 'writer' }, sample.teams);
    await removeMember(anna, { teamId, membershipId }, sample.teams);
    return { ...sample, anna, bert, teamId };
  }

  test('says who did what to whom, newest first, page by page', async () => {
    const { anna, teamId, found } = await openSample();
    await found(anna, 'Another');
    const { entries } = await listAudit(anna, { teamId, limit: 50 });
    const told = entries.map(({ action, actor, entityName }) => `${action}: ${actor?.displayName} → ${entityName}`);
    // Entries with the same timestamp have no order.
    expect([told.slice(0, 2).sort(), told.slice(2, 4).sort(), told.slice(4)]).toEqual([
      ['member.remove: anna → bert', 'member.set-role: anna → bert'],
      ['invite.accept: bert → bert', 'invite.create: anna → bert'],
      ['team.create: anna → =SUM(A1)'],
    ]);
    for (const { action } of entries) expect(Object.keys(auditActions)).toContain(action);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listAudit(anna, { teamId, limit: 2, cursor });
      expect(page.entries.length).toBeLessThanOrEqual(2);
      seen.push(...page.entries.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(entries.map(({ id }) => id));
  });

  test('can be filtered by an action or by all actions of one noun', async () => {
    const { anna, teamId } = await openSample();
    const actions = async (action: string) =>
      (await listAudit(anna, { teamId, action, limit: 50 })).entries.map((entry) => entry.action).sort();
    expect(await actions('member')).toEqual(['member.remove', 'member.set-role']);
    expect(await actions('member.remove')).toEqual(['member.remove']);
    expect(await actions('mem')).toEqual([]);
    expect(await actions('team')).toEqual(['team.create']);
  });

  test('is exported as text that a spreadsheet does not execute', async () => {
    const { anna, teamId } = await openSample();
    const lines = (await exportAudit(anna, { teamId, action: 'team' })).split('\r\n');
    expect(lines[0]).toBe(
      'id,at,action,actor_id,actor_name,actor_email,entity_id,entity_name,detail,team_id,team_name',
    );
    expect(lines[1]).toContain(`,anna,${addressOf('anna')},${teamId},'=SUM(A1),`);
    expect(lines[1]).toMatch(new RegExp(`,${teamId},'=SUM\\(A1\\)$`));
    expect(lines).toHaveLength(3);
  });

  test('can be read only by admins of the team; for others the team does not exist', async () => {
    const sample = await openSample();
    const { anna, bert, teamId } = sample;
    const clara = await sample.member(anna, teamId, 'clara', 'writer');
    for (const read of [listAudit, exportAudit]) {
      const input = { teamId, limit: 50 };
      expect(await refusal(read(clara, input))).toBe('permission-denied');
      expect(await refusal(read(bert, input))).toBe('team-not-found');
      expect(await refusal(read(bert, { ...input, teamId: 'nothing' }))).toBe('team-not-found');
      expect(await refusal(read(sample.visitor, input))).toBe('unauthenticated');
    }
  });

  test('limits repeated changes of one account per day, but never removals', async () => {
    const { anna, teamId, member, membershipId, teams, visitor } = await openSample();
    await member(anna, teamId, 'clara', 'writer');
    const clara = await membershipId(anna, teamId, addressOf('clara'));
    await updateTeam(anna, { teamId, name: 'Second' });
    await visitor.db.query.updateTable('rateCounts').set({ count: limits.repeatedChangesPerDayMax }).execute();
    const rowsBefore = (await listAudit(anna, { teamId, limit: 50 })).entries.length;
    expect(await refusal(updateTeam(anna, { teamId, name: 'Third' }))).toBe('rate-limited');
    expect(await refusal(setRole(anna, { teamId, membershipId: clara, role: 'reader' }, teams))).toBe('rate-limited');
    const { entries } = await listAudit(anna, { teamId, limit: 50 });
    expect(entries).toHaveLength(rowsBefore);
    await removeMember(anna, { teamId, membershipId: clara }, teams);
    visitor.clock.advance(24 * 60 * 60_000);
    expect(await updateTeam(anna, { teamId, name: 'Third' })).toMatchObject({ name: 'Third' });
  });

  test('expires by age only, whatever the number of entries, and keeps account deletions', async () => {
    const { anna, teamId, visitor } = await openSample();
    const { db } = visitor;
    const at = visitor.clock.now();
    const rowOf = (n: number, createdAt: number, action: string) => ({
      ...{ id: `row-${n}`, actorUserId: null, action, entityId: 'x', detail: '{}', createdAt, teamId },
    });
    const old = Array.from({ length: 1_500 }, (_, n) => rowOf(n, at - 10_000, 'team.update'));
    for (let n = 0; n < old.length; n += 100) {
      await db.query
        .insertInto('auditLog')
        .values(old.slice(n, n + 100))
        .execute();
    }
    await db.query
      .insertInto('auditLog')
      .values(rowOf(2_000, at - 10_000, 'account.delete'))
      .execute();
    const countOf = async () =>
      (
        await db.query
          .selectFrom('auditLog')
          .select('action')
          .where('createdAt', '<', at - 5_000)
          .execute()
      ).map(({ action }) => action);
    const { entries } = await listAudit(anna, { teamId, limit: 5 });
    await deleteOldAudit(db.query, at - 5_000);
    expect(await countOf()).toHaveLength(501);
    await deleteOldAudit(db.query, at - 5_000);
    await deleteOldAudit(db.query, at - 5_000);
    expect(await countOf()).toEqual(['account.delete']);
    expect((await listAudit(anna, { teamId, limit: 5 })).entries).toEqual(entries);
  });

  test('keeps entries of a deleted account without its name', async () => {
    const { anna, bert, teamId } = await openSample();
    const id = bert.actor.kind === 'user' ? bert.actor.userId : '';
    await anna.db.query.deleteFrom('users').where('id', '=', id).execute();
    const { entries } = await listAudit(anna, { teamId, limit: 50 });
    expect(entries).toHaveLength(5);
    expect(JSON.stringify(entries)).not.toContain('bert');
    expect(entries.find(({ action }) => action === 'invite.accept')).toMatchObject({ actor: null, entityName: null });
  });
});
