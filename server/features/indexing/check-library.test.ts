import { expect, onTestFinished, test } from 'vitest';
import { openRig } from '#test/library/rig.ts';
import { startSampleSite } from '#test/library/sample-site.ts';
import { onEachDatabase } from '#test/services/database.ts';
import { checkLibrary } from './check-library.ts';

onEachDatabase('the library check', (kind) => {
  async function indexed() {
    const site = await startSampleSite(3);
    onTestFinished(() => site.close());
    const rig = await openRig({ kind, allowHosts: [site.host] });
    await rig.index(site.url, { moduleId: 'sample' });
    return { site, rig, check: () => checkLibrary(rig.ctx, rig.blobs) };
  }

  test('finds nothing after runs that succeeded, failed, were canceled or are waiting, and after a removal', async () => {
    const { site, rig, check } = await indexed();
    expect(await check()).toEqual([]);
    site.faults.set('', 404);
    await rig.index(site.url, { moduleId: 'other' });
    await rig.index(site.url, { moduleId: 'sample' });
    await rig.start(site.url, { moduleId: 'third' });
    expect(await check()).toEqual([]);
  });

  test('finds a missing segment and orphaned files', async () => {
    const { rig, check } = await indexed();
    const [segment = ''] = await rig.blobs.list('segments/');
    for (const key of ['segments/none/x.seg', 'crawls/none.zst', 'runs/none/0.jsonl.zst']) {
      await rig.blobs.put(key, new Uint8Array([1]));
    }
    await rig.blobs.delete(segment);
    expect((await check()).map(({ kind: fault, what }) => [fault, what])).toEqual([
      ['lost', 'sample'],
      ['orphan', 'segments/none/x.seg'],
      ['orphan', 'crawls/none.zst'],
      ['orphan', 'runs/none/0.jsonl.zst'],
    ]);
  });

  test('finds a segment without its row and a run whose module is missing', async () => {
    const { site, rig, check } = await indexed();
    const { id } = await rig.start(site.url, { moduleId: 'gone' });
    await rig.ctx.db.query.deleteFrom('modules').where('slug', '=', 'gone').execute();
    await rig.ctx.db.query.deleteFrom('segments').execute();
    const [segment] = await rig.blobs.list('segments/');
    expect((await check()).map(({ kind: fault, what }) => [fault, what])).toEqual([
      ['lost', 'sample'],
      ['orphan', segment],
      ['stray', id],
    ]);
  });
});
