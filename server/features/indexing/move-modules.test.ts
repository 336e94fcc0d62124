import { expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { listModules } from '#server/features/catalog/index.ts';
import { freshDatabase, onEachDatabase } from '#test/services/database.ts';
import { silentLog } from '#test/services/log.ts';
import { moduleRow } from '#test/services/rows.ts';
import { actingInTeam, sampleTeam } from '#test/services/sample-team.ts';
import { createSettableClock } from '#test/services/settable-clock.ts';
import { listJobs, startIndexJob } from './index.ts';
import { getJob } from './jobs.ts';
import { moveModules } from './move-modules.ts';
import { createNotices } from './notices.ts';
import { removeTeamLibrary } from './remove-module.ts';

const notices = createNotices({ publish: () => undefined }, createSettableClock());
const source = JSON.stringify({ kind: 'site', url: 'https://docs.example/', seeds: [], maxPages: 10 });

onEachDatabase('moving modules to a team', (kind) => {
  async function founder() {
    const db = await freshDatabase(kind);
    const teamId = await sampleTeam(db, { members: { anna: 'admin', bert: 'reader' } });
    const base = { db, clock: createSettableClock(), log: silentLog, requestId: 'r' };
    const as = (userId: string): Context => ({
      ...base,
      actor: { kind: 'user', userId },
      workspace: `user:${userId}`,
    });
    const served = (id: string, workspace: `user:${string}` | `team:${string}`) =>
      db.query
        .insertInto('modules')
        .values(moduleRow({ id, slug: id.replace(/-.*/, ''), workspace, source, segments: '["s"]', lastUpdatedAt: 1 }))
        .execute();
    return { db, teamId, as, served, inTeam: (userId: string) => actingInTeam(as(userId), userId, teamId) };
  }
  const namesOf = async (ctx: Context) => (await listModules(ctx)).map(({ moduleId }) => moduleId);

  test('moved modules and their runs belong to the team and no longer to its founder alone', async () => {
    const { db, teamId, as, served, inTeam } = await founder();
    const anna = as('anna');
    const job = await startIndexJob(
      anna,
      { source: 'https://docs.example/', moduleId: 'ours', visibility: 'private', maxPages: 10, seeds: [] },
      notices,
    );
    await db.query.updateTable('modules').set({ lastUpdatedAt: 1, segments: '["s"]' }).execute();
    await served('notes', 'user:bert');
    const moved = await db.transaction((tx) => moveModules(tx, 'user:anna', `team:${teamId}`, 5));
    expect(moved).toBe(1);
    expect([await namesOf(anna), await namesOf(await inTeam('bert')), await namesOf(as('bert'))]).toEqual([
      [],
      ['ours'],
      ['notes'],
    ]);
    expect(await listJobs(anna)).toEqual([]);
    expect(await getJob(await inTeam('bert'), { jobId: job.id })).toMatchObject({ moduleId: 'ours' });
    expect(await db.transaction((tx) => moveModules(tx, 'user:anna', `team:${teamId}`, 6))).toBe(0);
  });

  test('a module whose id the team already has is not moved', async () => {
    const { db, teamId, as, served, inTeam } = await founder();
    await served('ours-1', 'user:anna');
    await served('ours-2', `team:${teamId}`);
    await served('more-1', 'user:anna');
    expect(await db.transaction((tx) => moveModules(tx, 'user:anna', `team:${teamId}`, 5))).toBe(1);
    expect([await namesOf(as('anna')), await namesOf(await inTeam('anna'))]).toEqual([['ours'], ['more', 'ours']]);
  });

  test('deleting a team deletes only its own modules and runs', async () => {
    const { db, teamId, as, served, inTeam } = await founder();
    await served('ours', `team:${teamId}`);
    await served('own', 'user:anna');
    const inside = await inTeam('anna');
    await startIndexJob(
      inside,
      { source: 'https://docs.example/', moduleId: 'ours', visibility: 'private', maxPages: 10, seeds: [] },
      notices,
    );
    await db.transaction((tx) => removeTeamLibrary(tx, teamId, 5));
    expect([await namesOf(inside), await listJobs(inside), await namesOf(as('anna'))]).toEqual([[], [], ['own']]);
  });
});
