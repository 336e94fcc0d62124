import { expect, onTestFinished, test } from 'vitest';
import { listModules } from '#server/features/catalog/index.ts';
import { listJobs } from '#server/features/indexing/index.ts';
import { takeIndexJob } from '#server/features/indexing/job-lease.ts';
import { cancelJob } from '#server/features/indexing/jobs.ts';
import { runIndexJob } from '#server/features/indexing/run-index-job.ts';
import { refreshModule, retryJob } from '#server/features/indexing/start-again.ts';
import { createTeam } from '#server/features/teams/change-teams.ts';
import { enterTeam } from '#server/features/teams/index.ts';
import { createBackgroundWork } from '#server/platform/background-work.ts';
import { silentLog } from '../services/log.ts';
import { teamsWithAgents } from '../services/sample-installation.ts';
import { actingInTeam, sampleTeam } from '../services/sample-team.ts';
import { openRig } from './rig.ts';
import { startSampleSite } from './sample-site.ts';

test('founding a team with private modules moves a run in progress along: it publishes for the team', async () => {
  const site = await startSampleSite(6);
  onTestFinished(() => site.close());
  const rig = await openRig({ allowHosts: [site.host] });
  const { ctx } = rig;
  await rig.start(site.url, { moduleId: 'sample', visibility: 'private' });
  const [atPage, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  site.onRequest = async (name) => {
    if (name !== 'page5') return;
    atPage.resolve();
    await held.promise;
  };
  const row = await takeIndexJob(ctx, 'worker');
  if (row === undefined) throw new Error('the run was not there to be taken');
  const running = runIndexJob(ctx, row, rig.deps, new AbortController().signal);
  await atPage.promise;
  const deps = teamsWithAgents({ send: async () => undefined, background: createBackgroundWork(silentLog) });
  const input = { teamName: 'Acme', teamMembers: [], shouldMigrateIndex: true };
  const { teamId } = await createTeam(ctx, input, deps);
  held.resolve();
  await running;
  const inTeam = await enterTeam(ctx, teamId);
  expect(await listJobs(inTeam)).toMatchObject([{ status: 'COMPLETE', moduleId: 'sample' }]);
  expect(await listModules(inTeam)).toMatchObject([{ moduleId: 'sample', pageCount: 7, visibility: 'private' }]);
  expect(await rig.read(`${site.url}page5.html`, inTeam)).toContain('Original text 5');
  expect(await listModules(ctx)).toEqual([]);
  expect(await listJobs(ctx)).toEqual([]);
});

test('a member who lost the right after sending a request cannot stop, retry or refresh anything', async () => {
  const site = await startSampleSite(2);
  onTestFinished(() => site.close());
  const rig = await openRig({ allowHosts: [site.host] });
  const teamId = await sampleTeam(rig.ctx.db, { members: { anna: 'admin', bert: 'writer' } });
  const bert = await actingInTeam(rig.ctx, 'bert', teamId);
  const { id: jobId } = await rig.start(site.url, { moduleId: 'sample', visibility: 'private' }, bert);
  await rig.ctx.db.query.updateTable('memberships').set({ role: 'reader' }).where('userId', '=', 'bert').execute();
  await expect(cancelJob(bert, { jobId }, rig.notices)).rejects.toMatchObject({ code: 'permission-denied' });
  expect(await rig.runNext()).toMatchObject({ status: 'COMPLETE' });
  await expect(retryJob(bert, { jobId }, rig.notices)).rejects.toMatchObject({ code: 'permission-denied' });
  await expect(refreshModule(bert, { moduleId: 'sample' }, rig.notices)).rejects.toMatchObject({
    code: 'permission-denied',
  });
  const anna = await actingInTeam(rig.ctx, 'anna', teamId);
  expect(await refreshModule(anna, { moduleId: 'sample' }, rig.notices)).toMatchObject({ status: 'QUEUED' });
});
