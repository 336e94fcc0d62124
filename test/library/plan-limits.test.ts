import { expect, onTestFinished, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import { plans } from '#contract/plans.ts';
import type { Context } from '#server/context.ts';
import { listModules } from '#server/features/catalog/index.ts';
import { removeModule } from '#server/features/indexing/remove-module.ts';
import { refreshModule } from '#server/features/indexing/start-again.ts';
import { listPdfSets } from '#server/features/pdf-sets/sets.ts';
import { startPdfUpload } from '#server/features/pdf-sets/uploads.ts';
import { openPdfRig } from '../pdf-sets/pdf-rig.ts';
import { moduleRow } from '../services/rows.ts';
import { openTeamSample } from '../services/sample-installation.ts';
import { actingInTeam, sampleTeam } from '../services/sample-team.ts';
import { startSampleSite } from './sample-site.ts';

const free = plans.Free;
const own = { visibility: 'private' as const };
const limited = <C extends Context>(ctx: C): C => ({ ...ctx, hasPlanLimits: true });

/** Creates Anna with two unpaid teams and one with a plan, and Bert, a writer in one of the unpaid teams. */
async function openStage(options: Parameters<typeof openPdfRig>[0] = {}) {
  const rig = await openPdfRig(options);
  const { db } = rig.ctx;
  const acme = await sampleTeam(db, { members: { anna: 'admin', bert: 'writer' } });
  const beta = await sampleTeam(db, { members: { anna: 'admin' } });
  const paying = await sampleTeam(db, { members: { anna: 'admin' }, tier: 'Basic' });
  const inTeam = (userId: string, teamId: string) => actingInTeam(limited(rig.ctx), userId, teamId);
  const [anna, bert] = [limited(rig.as('anna')), limited(rig.as('bert'))];
  return {
    ...{ rig, anna, bert, inAcme: await inTeam('anna', acme), inBeta: await inTeam('anna', beta) },
    ...{ bertInAcme: await inTeam('bert', acme), inPaying: await inTeam('anna', paying) },
    /** Sets the number of pages and bytes that a user's module serves. */
    setServed: async (pageCount: number, byteCount = 0) => {
      await db.query.updateTable('modules').set({ pageCount, byteCount, lastUpdatedAt: 1 }).execute();
    },
  };
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (fault: { code?: string }) => fault.code,
  );

test('a person and all unpaid teams that they founded share one Free plan', async () => {
  const { rig, anna, bert, inAcme, inBeta, bertInAcme, inPaying } = await openStage();
  const start = (ctx: Context, name: string) => rig.start(`https://${name}.example/`, own, ctx);
  expect(free.runsAtOnce).toBe(3);
  const all = await Promise.allSettled([start(anna, 'a'), start(inAcme, 'b'), start(inBeta, 'c'), start(anna, 'd')]);
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(free.runsAtOnce);
  await expect(start(bertInAcme, 'e')).rejects.toMatchObject({ code: 'runs-at-limit', retryAfterSeconds: 60 });
  await start(bert, 'f');
  for (let run = 0; run < free.runsAtOnce + 1; run += 1) await start(inPaying, `g${run}`);
  const { hasPlanLimits: _, ...unlimited } = anna;
  for (let run = 0; run < free.runsAtOnce; run += 1) await start(unlimited, `h${run}`);
});

test('a plan limits the pages and depth of a source, and the total of all sources', async () => {
  const { rig, anna, inAcme, setServed } = await openStage();
  const job = await rig.start('https://a.example/', { ...own, maxPages: limits.pagesPerJobMax }, anna);
  expect(job.limits).toMatchObject({ maxPages: free.pagesPerSource, depth: free.depth });
  await setServed(free.pagesTotal);
  expect(await codeOf(rig.start('https://b.example/', own, inAcme))).toBe('plan-full');
  await setServed(1, free.indexBytes);
  expect(await codeOf(rig.start('https://b.example/', own, inAcme))).toBe('plan-full');
  await setServed(free.pagesTotal - 7);
  const { limits: left } = await rig.start('https://b.example/', own, inAcme);
  expect(left.maxPages).toBe(7);
});

test('a plan limits the number of sources, also of those that never had a page', async () => {
  const { rig, anna, inAcme, inPaying } = await openStage();
  const { db } = rig.ctx;
  const start = (name: string, ctx: Context) => rig.start('https://a.example/', { ...own, moduleId: name }, ctx);
  const endAll = () => db.query.updateTable('jobRuns').set({ status: 'FAILED', errorCode: 'cancelled' }).execute();
  await start('first', inAcme);
  await endAll();
  const rows = Array.from({ length: free.sourcesTotal - 1 }, (_, at) =>
    moduleRow({ id: `failed-${at}`, workspace: 'user:anna' }),
  );
  await db.query.insertInto('modules').values(rows).execute();
  expect(await codeOf(start('further', anna))).toBe('plan-full');
  await start('first', inAcme);
  await endAll();
  await start('further', inPaying);
  const { hasPlanLimits: _, ...unlimited } = anna;
  await start('unlimited', unlimited);
  await db.query.deleteFrom('modules').where('slug', '=', 'unlimited').execute();
  await removeModule(anna, { moduleId: 'failed-0' }, rig.notices);
  await start('further', anna);
  await endAll();
  await db.query.updateTable('modules').set({ lastUpdatedAt: 1, pageCount: 1 }).where('slug', '=', 'further').execute();
  expect(await codeOf(start('last', anna))).toBe('plan-full');
  await removeModule(anna, { moduleId: 'failed-1' }, rig.notices);
  await start('further', anna);
});

test('a version over the plan’s limit is not published; the served version can be refreshed', async () => {
  const site = await startSampleSite(5);
  onTestFinished(() => site.close());
  const { rig, anna, setServed } = await openStage({ allowHosts: [site.host] });
  rig.ctx.hasPlanLimits = true;
  await rig.start('https://a.example/', { ...own, moduleId: 'large' }, anna);
  await rig.ctx.db.query.deleteFrom('jobRuns').execute();
  await rig.start(site.url, { ...own, moduleId: 'small' }, anna);
  await setServed(free.pagesTotal - 3);
  await rig.ctx.db.query.updateTable('modules').set({ pageCount: 0 }).where('slug', '=', 'small').execute();
  expect(await rig.runNext()).toMatchObject({ status: 'FAILED', error: expect.stringContaining('The Free plan has') });
  await setServed(free.pagesTotal);
  await refreshModule(anna, { moduleId: 'small' }, rig.notices);
  expect(await rig.runNext()).toMatchObject({ status: 'COMPLETE' });
  const served = await listModules(anna);
  expect(served.find(({ moduleId }) => moduleId === 'small')).toMatchObject({ pageCount: 6 });
});

test('a run that has fetched more than the plan allows ends at once', async () => {
  const site = await startSampleSite(400);
  onTestFinished(() => site.close());
  const { rig, anna, setServed } = await openStage({ allowHosts: [site.host] });
  rig.ctx.hasPlanLimits = true;
  await rig.start('https://a.example/', { ...own, moduleId: 'large' }, anna);
  await rig.ctx.db.query.deleteFrom('jobRuns').execute();
  await rig.start(site.url, { ...own, moduleId: 'small' }, anna);
  await setServed(1, free.indexBytes - 1);
  await rig.ctx.db.query.updateTable('modules').set({ byteCount: 0 }).where('slug', '=', 'small').execute();
  const run = await rig.runNext();
  expect(run).toMatchObject({ status: 'FAILED', error: expect.stringContaining('The Free plan has room for') });
  expect(run.fetched).toBeLessThan(200);
});

test('unpaid teams add no storage for PDF files', async () => {
  const { rig, anna, inAcme, inBeta } = await openStage();
  const size = limits.pdfFileBytesMax;
  const { setId } = await rig.create('One', inAcme);
  const begin = (ctx: Context, id: string) => startPdfUpload(ctx, { setId: id, fileName: 'a.pdf', sizeBytes: size });
  for (let file = 0; file < Math.floor(free.pdfBytes / size); file += 1) await begin(inAcme, setId);
  const { storage } = await listPdfSets(anna, rig.pdf);
  expect(storage.usedBytes).toBeGreaterThan(storage.quotaBytes - size);
  for (const ctx of [inBeta, anna]) {
    const other = await rig.create('Two', ctx);
    expect(await codeOf(begin(ctx, other.setId))).toBe('pdf-storage-full');
  }
});

test('a person can found only a few unpaid teams', async () => {
  const sample = await openTeamSample();
  const anna = limited(await sample.person('anna'));
  for (let team = 0; team < limits.freeTeamsPerPersonMax; team += 1) await sample.found(anna);
  expect(await codeOf(sample.found(anna))).toBe('too-many-free-teams');
  await anna.db.query.updateTable('teams').set({ tier: 'Basic' }).execute();
  await sample.found(anna);
});
