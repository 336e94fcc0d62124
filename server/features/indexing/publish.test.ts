import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { plans } from '#contract/plans.ts';
import type { ModuleRow } from '#server/features/catalog/module-store.ts';
import { segmentIdsOf } from '#server/features/catalog/module-store.ts';
import { openRig, type Rig } from '#test/library/rig.ts';
import { onEachDatabase } from '#test/services/database.ts';
import { actingInTeam, sampleTeam } from '#test/services/sample-team.ts';
import { JobLease, RunStopped, takeIndexJob } from './job-lease.ts';
import { cancelJob } from './jobs.ts';
import { currentModule, publishChanges, publishWhole, withNewSegment } from './publish.ts';
import { removeModule } from './remove-module.ts';

const counts = { pageCount: 2, snippetCount: 3, tokenCount: 40, byteCount: 500 };

onEachDatabase('publishing a version', (kind) => {
  async function openParts(): Promise<{ rig: Rig; lease: JobLease; moduleId: string }> {
    const rig = await openRig({ kind });
    await rig.start('https://docs.example/', { moduleId: 'guide', displayName: 'The guide' });
    return { rig, ...(await take(rig)) };
  }

  /** Takes the next run. */
  async function take(rig: Rig): Promise<{ lease: JobLease; moduleId: string }> {
    const row = await takeIndexJob(rig.ctx, 'one');
    if (row === undefined || row.moduleId === null) throw new Error('no run is waiting');
    const lease = new JobLease(rig.ctx, row, { ...rig.deps, stopping: new AbortController().signal });
    onTestFinished(() => lease.release());
    return { lease, moduleId: row.moduleId };
  }

  const built = () => ({ ...counts, blobKey: `segments/x/${randomUUID()}.seg` });
  const segmentsOf = (rig: Rig) => rig.ctx.db.query.selectFrom('segments').selectAll().orderBy('createdAt').execute();
  const read = (rig: Rig, moduleId: string): Promise<ModuleRow> => currentModule(rig.ctx, moduleId);

  test('a full version replaces the served segments, with its counts, source and name', async () => {
    const { rig, lease, moduleId } = await openParts();
    await publishWhole(rig.ctx, lease, await read(rig, moduleId), built());
    const first = await read(rig, moduleId);
    await publishChanges(rig.ctx, lease, first, built(), undefined);
    await publishWhole(rig.ctx, lease, await read(rig, moduleId), { ...built(), pageCount: 9 });
    const module = await read(rig, moduleId);
    expect(module).toMatchObject({ ...counts, pageCount: 9, displayName: 'The guide', revision: 3 });
    const rows = await segmentsOf(rig);
    expect(segmentIdsOf(module)).toEqual(rows.filter(({ droppedAt }) => droppedAt === null).map(({ id }) => id));
    expect(rows).toHaveLength(3);
  });

  test('changes are served on top of the base; newer changes replace earlier ones', async () => {
    const { rig, lease, moduleId } = await openParts();
    await publishWhole(rig.ctx, lease, await read(rig, moduleId), built());
    const base = await read(rig, moduleId);
    const first = await publishChanges(rig.ctx, lease, base, { ...built(), byteCount: 10 }, undefined);
    expect(await read(rig, moduleId)).toMatchObject({ byteCount: 510, pageCount: 2 });
    const second = await publishChanges(
      rig.ctx,
      lease,
      await read(rig, moduleId),
      { ...built(), byteCount: 30 },
      first,
    );
    const after = await read(rig, moduleId);
    expect(segmentIdsOf(after)).toEqual([...segmentIdsOf(base), second.id]);
    expect(after).toMatchObject({ byteCount: 530 });
    const dropped = (await segmentsOf(rig)).filter(({ droppedAt }) => droppedAt !== null);
    expect(dropped.map(({ id }) => id)).toEqual([first.id]);
  });

  test('one of several concurrent versions from the same base is published; the others leave no trace', async () => {
    const { rig, lease, moduleId } = await openParts();
    const before = await read(rig, moduleId);
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => publishWhole(rig.ctx, lease, before, built())));
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as Error] : []));
    expect(refused).toHaveLength(2);
    for (const error of refused) expect(error).toMatchObject({ code: 'module-changed' });
    const rows = await segmentsOf(rig);
    expect(rows.map(({ id }) => id)).toEqual(segmentIdsOf(await read(rig, moduleId)));
  });

  test('runs of a team that publish at once stay within its plan together, and cancellations meanwhile are kept', async () => {
    const rig = await openRig({ kind });
    rig.ctx.hasPlanLimits = true;
    const teamId = await sampleTeam(rig.ctx.db, { members: { anna: 'admin' } });
    const acme = await actingInTeam(rig.ctx, 'anna', teamId);
    const pageCount = Math.ceil(plans.Free.pagesTotal * 0.6);
    const runs = [];
    for (const moduleId of ['one', 'two', 'three']) {
      const { id } = await rig.start('https://docs.example/', { moduleId, visibility: 'private' }, acme);
      const taken = await take(rig);
      runs.push({ id, lease: taken.lease, module: await read(rig, taken.moduleId) });
    }
    const cancelled = runs.map(({ id }) => cancelJob(acme, { jobId: id }, rig.notices));
    const published = await Promise.allSettled(
      runs.map(({ lease, module }) => publishWhole(rig.ctx, lease, module, { ...built(), pageCount })),
    );
    expect(published.map((one) => (one.status === 'rejected' ? one.reason : undefined))).toEqual(
      expect.arrayContaining([undefined, ...Array(2).fill(expect.objectContaining({ code: 'plan-full' }))]),
    );
    for (const job of await Promise.all(cancelled)) expect(job.endTime).toBeNull();
    const kept = await rig.ctx.db.query.selectFrom('jobRuns').select('cancelRequestedAt').execute();
    expect(kept.filter(({ cancelRequestedAt }) => cancelRequestedAt === null)).toEqual([]);
  });

  test('a run that another process has taken publishes nothing', async () => {
    const { rig, lease, moduleId } = await openParts();
    const before = await read(rig, moduleId);
    await rig.ctx.db.query.updateTable('jobRuns').set({ leaseOwner: 'another' }).execute();
    for (const publish of [
      () => publishWhole(rig.ctx, lease, before, built()),
      () => publishChanges(rig.ctx, lease, before, built(), undefined),
    ]) {
      await expect(publish()).rejects.toBeInstanceOf(RunStopped);
    }
    expect(await read(rig, moduleId)).toEqual(before);
    expect(await segmentsOf(rig)).toEqual([]);
  });

  test('a module removed while a version is published keeps no segment', async () => {
    const { rig, lease, moduleId } = await openParts();
    const before = await read(rig, moduleId);
    const [published] = await Promise.allSettled([
      publishWhole(rig.ctx, lease, before, built()),
      removeModule(rig.ctx, { moduleId: 'guide' }, rig.notices),
    ]);
    await expect(read(rig, moduleId)).rejects.toMatchObject({ code: 'module-changed' });
    const rows = await segmentsOf(rig);
    expect(rows).toHaveLength(published.status === 'fulfilled' ? 1 : 0);
    expect(rows.every(({ droppedAt }) => droppedAt !== null)).toBe(true);
    await expect(publishWhole(rig.ctx, lease, before, built())).rejects.toThrow();
    expect(await segmentsOf(rig)).toHaveLength(rows.length);
  });

  test('an unpublished segment is deleted from the store; a published one stays despite later faults', async () => {
    const { rig, lease, moduleId } = await openParts();
    const attempt = (isPublished: boolean) =>
      withNewSegment(rig.ctx, rig.blobs, moduleId, async (blobKey) => {
        await rig.blobs.put(blobKey, Buffer.from('segment'));
        if (isPublished) await publishWhole(rig.ctx, lease, await read(rig, moduleId), { ...counts, blobKey });
        throw new Error('and then this');
      });
    await expect(attempt(false)).rejects.toThrow('and then this');
    expect(await rig.blobKeys()).toEqual([]);
    await expect(attempt(true)).rejects.toThrow('and then this');
    expect(await rig.blobKeys()).toEqual((await segmentsOf(rig)).map(({ blobKey }) => blobKey));
    expect(await rig.blobKeys()).toHaveLength(1);
  });
});
