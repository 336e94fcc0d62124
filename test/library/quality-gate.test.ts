import { describe, expect, onTestFinished, test } from 'vitest';
import { checkSegments, listModules } from '#server/features/catalog/index.ts';
import { acceptJob } from '#server/features/indexing/held-version.ts';
import { dropSegment } from '#server/features/indexing/index.ts';
import { getJobLog } from '#server/features/indexing/job-log.ts';
import { cancelJob } from '#server/features/indexing/jobs.ts';
import { listProbes, setProbes } from '#server/features/indexing/probes.ts';
import { type DatabaseKind, onEachDatabase } from '#test/services/database.ts';
import { until } from '#test/services/until.ts';
import { openRig, type Rig } from './rig.ts';
import { type SampleSite, startSampleSite } from './sample-site.ts';

const pages = 8;

async function indexedSite(kind?: DatabaseKind): Promise<{ rig: Rig; site: SampleSite }> {
  const site = await startSampleSite(pages);
  onTestFinished(() => site.close());
  const rig = await openRig({ ...(kind === undefined ? {} : { kind }), allowHosts: [site.host] });
  await rig.index(site.url, { moduleId: 'sample' });
  return { rig, site };
}

/** Most pages show a sign-in form; a remaining one has changed. */
function putBehindALogin(site: SampleSite): void {
  for (let page = 0; page < 6; page += 1) site.faults.set(`page${page}`, 403);
  site.pages.set('page7', 'Rewritten text 7');
}

onEachDatabase('a new version', (kind) => {
  test('with worse answers is held back with its reason, and can be accepted once by permitted users', async () => {
    const { rig, site } = await indexedSite(kind);
    putBehindALogin(site);
    const held = await rig.index(site.url, { moduleId: 'sample' });
    expect(held).toMatchObject({ status: 'FAILED', isHeld: true });
    expect(held.error).toMatch(/^Held back: the new version answers \d of \d+ probe questions, the served one \d+\./);
    expect(held.quality?.missed.length).toBeGreaterThanOrEqual(5);
    const { entries } = await getJobLog(rig.ctx, { jobId: held.id, limit: 50 });
    const missed = held.quality?.missed.map(({ address }) => address) ?? [];
    expect(entries.map(({ address }) => address)).toEqual(expect.arrayContaining(missed));
    expect(await rig.read(`${site.url}page3.html`)).toContain('Original text 3.');
    expect(await rig.read(`${site.url}page7.html`)).toContain('Original text 7.');

    const jobId = held.id;
    await expect(acceptJob(rig.as('stranger'), { jobId }, rig.notices)).rejects.toMatchObject({
      code: 'permission-denied',
    });
    const { held: kept } = await rig.ctx.db.query
      .selectFrom('jobRuns')
      .select('held')
      .where('id', '=', jobId)
      .executeTakeFirstOrThrow();
    const setHeld = (text: string | null) =>
      rig.ctx.db.query.updateTable('jobRuns').set({ held: text }).where('id', '=', jobId).execute();
    await setHeld('{"seg');
    await expect(acceptJob(rig.ctx, { jobId }, rig.notices)).rejects.toMatchObject({ code: 'job-not-held' });
    await setHeld(kept);
    const outcomes = await Promise.allSettled([1, 2].map(() => acceptJob(rig.ctx, { jobId }, rig.notices)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'job-not-held' } });
    expect(await rig.read(`${site.url}page3.html`)).toBeUndefined();
    expect(await rig.read(`${site.url}page7.html`)).toContain('Rewritten text 7.');
    expect((await listModules(rig.ctx))[0]).toMatchObject({ pageCount: 3 });
  });
});

describe('a new version', () => {
  test('with equally good answers replaces a held version, which can no longer be accepted', async () => {
    const { rig, site } = await indexedSite();
    putBehindALogin(site);
    const { id: jobId } = await rig.index(site.url, { moduleId: 'sample' });
    site.faults.clear();
    expect(await rig.index(site.url, { moduleId: 'sample' })).toMatchObject({ status: 'COMPLETE', isHeld: false });
    await expect(acceptJob(rig.ctx, { jobId }, rig.notices)).rejects.toMatchObject({ code: 'job-not-held' });
    expect(await rig.read(`${site.url}page7.html`)).toContain('Rewritten text 7.');
  });

  test('that is held back also reverts changed pages that an earlier attempt of its run published early', async () => {
    const { rig, site } = await indexedSite();
    putBehindALogin(site);
    site.pages.set('page6', 'Rewritten text 6');
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    site.onRequest = (name) => (name === 'page7' ? answered : undefined);
    await rig.start(site.url, { moduleId: 'sample' });
    const stopping = new AbortController();
    const cutOff = rig.runNext(stopping.signal);
    const isShown = async () => (await rig.read(`${site.url}page6.html`))?.includes('Rewritten text 6.');
    await until('a changed page is shown', isShown);
    stopping.abort();
    answer();
    await cutOff;
    expect(await isShown()).toBe(true);
    expect(await rig.runNext()).toMatchObject({ status: 'FAILED', isHeld: true });
    expect(await rig.read(`${site.url}page6.html`)).toContain('Original text 6.');
    expect(await rig.read(`${site.url}page7.html`)).toContain('Original text 7.');
  });

  test('is reverted where a requeued run published pages early, when that run is cancelled', async () => {
    const { rig, site } = await indexedSite();
    site.pages.set('page6', 'Rewritten text 6');
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    site.onRequest = (name) => (name === 'page7' ? answered : undefined);
    const { id: jobId } = await rig.start(site.url, { moduleId: 'sample' });
    const stopping = new AbortController();
    const cutOff = rig.runNext(stopping.signal);
    const isShown = async () => (await rig.read(`${site.url}page6.html`))?.includes('Rewritten text 6.');
    await until('a changed page is shown', isShown);
    stopping.abort();
    answer();
    await cutOff;
    expect(await isShown()).toBe(true);
    expect(await cancelJob(rig.ctx, { jobId }, rig.notices)).toMatchObject({ status: 'FAILED', isCancelled: true });
    expect(await rig.read(`${site.url}page6.html`)).toContain('Original text 6.');
    expect(await checkSegments(rig.ctx)).toEqual([]);
  });

  test('is compared with the last complete version, not with pages that a failed run published early', async () => {
    const { rig, site } = await indexedSite();
    for (let page = 0; page < pages; page += 1) site.pages.set(`page${page}`, '');
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    site.onRequest = (name) => (name === 'page7' ? answered : undefined);
    const { id: jobId } = await rig.start(site.url, { moduleId: 'sample' });
    const failing = rig.runNext();
    await until('a changed page is shown', async () => !(await rig.read(`${site.url}page6.html`)));
    await cancelJob(rig.ctx, { jobId }, rig.notices);
    answer();
    expect(await failing).toMatchObject({ status: 'FAILED', isCancelled: true });
    expect(await rig.read(`${site.url}page6.html`)).toContain('Original text 6.');
    expect(await rig.index(site.url, { moduleId: 'sample' })).toMatchObject({ status: 'FAILED', isHeld: true });
    expect(await rig.read(`${site.url}page6.html`)).toContain('Original text 6.');
    expect(await checkSegments(rig.ctx)).toEqual([]);
  });

  test('that is held back is not reported as a stray file, and can still be accepted', async () => {
    const { rig, site } = await indexedSite();
    putBehindALogin(site);
    const { id: jobId } = await rig.index(site.url, { moduleId: 'sample' });
    expect(await checkSegments(rig.ctx)).toEqual([]);
    const rows = await rig.ctx.db.query.selectFrom('segments').select('id').where('droppedAt', 'is', null).execute();
    for (const { id } of rows) await dropSegment(rig.ctx, id);
    await acceptJob(rig.ctx, { jobId }, rig.notices);
    expect(await rig.read(`${site.url}page7.html`)).toContain('Rewritten text 7.');
    expect(await checkSegments(rig.ctx)).toEqual([]);
  });

  test('cannot be accepted if its file is gone', async () => {
    const { rig, site } = await indexedSite();
    putBehindALogin(site);
    const { id: jobId } = await rig.index(site.url, { moduleId: 'sample' });
    await rig.ctx.db.query.updateTable('segments').set({ droppedAt: 1 }).where('createdAt', '>', 1).execute();
    await expect(acceptJob(rig.ctx, { jobId }, rig.notices)).rejects.toMatchObject({ code: 'job-not-held' });
    expect(await rig.read(`${site.url}page7.html`)).toContain('Original text 7.');
  });

  test.each([
    ['long', 30],
    ['short', 5],
  ])(
    'whose %s pages keep only their titles is held back, and a version with the text back is not',
    async (_, length) => {
      const site = await startSampleSite(pages);
      onTestFinished(() => site.close());
      const write = (sentences: number) => {
        for (const name of site.pages.keys()) {
          const text = Array.from({ length: sentences }, (_, at) => `Sentence ${at} of ${name} tells what it does`);
          site.pages.set(name, text.join('. '));
        }
      };
      const rig = await openRig({ allowHosts: [site.host] });
      write(length);
      await rig.index(site.url, { moduleId: 'sample' });
      for (const name of site.pages.keys()) site.pages.set(name, 'Moved');
      const emptied = await rig.index(site.url, { moduleId: 'sample' });
      expect(emptied).toMatchObject({ status: 'FAILED', isHeld: true });
      expect(emptied.quality?.missed.length).toBeGreaterThanOrEqual(5);
      await acceptJob(rig.ctx, { jobId: emptied.id }, rig.notices);
      write(length);
      expect(await rig.index(site.url, { moduleId: 'sample' })).toMatchObject({ status: 'COMPLETE', isHeld: false });
      expect(await rig.read(`${site.url}page3.html`)).toContain(`Sentence ${length - 1} of page3`);
    },
  );

  test('without pages that the site reports as gone is published', async () => {
    const { rig, site } = await indexedSite();
    for (const page of ['page0', 'page1', 'page3']) site.faults.set(page, 410);
    expect(await rig.index(site.url, { moduleId: 'sample' })).toMatchObject({ status: 'COMPLETE' });
    expect(await rig.read(`${site.url}page3.html`)).toBeUndefined();
  });

  test('is held back if all three pages show a sign-in form, and published if they have new texts', async () => {
    const site = await startSampleSite(2);
    onTestFinished(() => site.close());
    const rig = await openRig({ allowHosts: [site.host] });
    await rig.index(site.url, { moduleId: 'sample' });
    for (const name of site.pages.keys()) site.pages.set(name, `Text of another edition for ${name}`);
    expect(await rig.index(site.url, { moduleId: 'sample' })).toMatchObject({ status: 'COMPLETE' });
    site.everywhere =
      '<title>Sign in</title><main><h1>Sign in</h1><p>Give your password to go on to this place.</p></main>';
    const held = await rig.index(site.url, { moduleId: 'sample' });
    expect(held).toMatchObject({ status: 'FAILED', isHeld: true, quality: { after: { answered: 0 } } });
    expect(await rig.read(`${site.url}page1.html`)).toContain('Text of another edition for page1');
  });

  test('is also tested with people’s questions, which only permitted users can set', async () => {
    const { rig, site } = await indexedSite();
    const probes = [{ question: 'where is text 4', address: `${site.url}page4.html#top` }];
    const stranger = rig.as('stranger');
    await expect(setProbes(stranger, { moduleId: 'sample', probes })).rejects.toMatchObject({
      code: 'permission-denied',
    });
    await expect(setProbes(rig.ctx, { moduleId: 'other', probes })).rejects.toMatchObject({ code: 'module-not-found' });
    const listed = await setProbes(rig.ctx, { moduleId: 'sample', probes });
    expect(listed[0]).toEqual({ question: 'where is text 4', address: `${site.url}page4.html`, origin: 'person' });
    expect(listed.filter(({ origin }) => origin === 'generated').length).toBeGreaterThanOrEqual(pages);
    site.pages.set('page1', 'Rewritten text 1');
    const { quality } = await rig.index(site.url, { moduleId: 'sample' });
    expect(quality?.probes).toBe(listed.length);
    expect(await listProbes(rig.ctx, { moduleId: 'sample' })).toContainEqual(listed[0]);
    expect(await setProbes(rig.ctx, { moduleId: 'sample', probes: [] })).not.toContainEqual(listed[0]);
  });
});
