import { expect, onTestFinished, test } from 'vitest';
import { OpenShelf } from '#server/features/catalog/shelf.ts';
import { type Blobs, openBlobs } from '#server/platform/blobs/index.ts';
import { systemClock } from '#server/platform/clock.ts';
import { openRig } from '../library/rig.ts';
import { startSampleSite } from '../library/sample-site.ts';
import { startCuttableProxy } from '../services/cuttable-proxy.ts';
import { startS3 } from '../services/s3.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';

/** Opens a library whose files are in a bucket that can become unreachable, a site, and a settable clock. */
async function openParts(pages: number) {
  const [s3, site] = await Promise.all([startS3(), startSampleSite(pages)]);
  onTestFinished(() => s3.stop());
  onTestFinished(() => site.close());
  const proxy = await startCuttableProxy(Number(new URL(s3.config.endpoint ?? '').port));
  const blobConfig = { ...s3.config, endpoint: `http://127.0.0.1:${proxy.port}` };
  const moved = { ms: 0 };
  const clock = { ...systemClock, now: () => systemClock.now() + moved.ms };
  const rig = await openRig({ blobConfig, clock, allowHosts: [site.host] });
  return { rig, site, proxy, moved, blobConfig };
}

/** Returns the same store, whose `open` waits while it is held. */
function holdable(blobs: Blobs) {
  let held: Promise<void> | undefined;
  let letGo = () => {};
  const answer: Blobs = {
    put: (key, content) => blobs.put(key, content),
    exists: (key) => blobs.exists(key),
    delete: (key) => blobs.delete(key),
    list: (prefix) => blobs.list(prefix),
    entries: (prefix) => blobs.entries(prefix),
    move: (from, to) => blobs.move(from, to),
    async open(key) {
      await held;
      return blobs.open(key);
    },
  };
  return {
    blobs: answer,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      [held, letGo] = [promise, resolve];
    },
    letGo: () => letGo(),
  };
}

test('a run that loses the blob store waits and resumes where it stopped', async () => {
  const { rig, site, proxy, moved } = await openParts(24);
  site.onRequest = (name) => name === 'page12' && proxy.become('refusing');
  await rig.start(site.url);
  const interrupted = await rig.runNext();
  expect(interrupted).toMatchObject({ error: null });
  expect(interrupted.status).not.toBe('FAILED');
  // It is retried with delays until it is given up.
  await expect(rig.runNext()).rejects.toThrow('no run is waiting');
  site.onRequest = undefined;
  proxy.become('open');
  moved.ms += 10_001;
  expect(await rig.runNext()).toMatchObject({ status: 'COMPLETE', docsCount: 25 });
});

test('a run whose blob store stays away fails with the reason', async () => {
  const { rig, site, proxy, moved } = await openParts(2);
  proxy.become('refusing');
  await rig.start(site.url);
  for (let attempt = 1; attempt < 5; attempt += 1) {
    expect((await rig.runNext()).status).not.toBe('FAILED');
    moved.ms += 10_001 * 2 ** (attempt - 1);
  }
  const ended = await rig.runNext();
  expect(ended).toMatchObject({ status: 'FAILED', error: expect.stringContaining('does not answer') });
});

test('open modules are searched while the blob store is away, and the others are named', async () => {
  const { rig, site, proxy, blobConfig } = await openParts(2);
  const [first, second] = ['first', 'second'];
  await rig.index(site.url, { moduleId: first });
  // A process on another machine, without cached copies.
  const store = holdable(await openBlobs({ ...blobConfig, cacheFolder: temporaryFolder() }));
  const shelf = new OpenShelf({ db: rig.ctx.db, blobs: store.blobs });
  onTestFinished(() => shelf.close());
  await shelf.openViews(await shelf.readableModules(rig.ctx));
  await rig.index(site.url, { moduleId: second });
  const modules = await shelf.readableModules(rig.ctx);
  const look = async () => {
    const { views, unreadable } = await shelf.openSound(modules);
    return [views, unreadable].map((list) => list.map(({ module }) => module.moduleId));
  };
  proxy.become('refusing');
  expect(await look()).toEqual([[first], [second]]);
  expect((await shelf.openSound(modules)).unreadable).toMatchObject([{ fault: { code: 'unreachable' } }]);
  // From here on it accepts requests and never responds: no search waits for it.
  store.hold();
  expect(await look()).toEqual([[first], [second]]);
  proxy.become('open');
  store.letGo();
  await expect.poll(look, { timeout: 30_000 }).toEqual([[first, second], []]);
});
