import { expect, onTestFinished, test } from 'vitest';
import { listModules } from '#server/features/catalog/index.ts';
import { getJobLog } from '#server/features/indexing/job-log.ts';
import { refreshModule } from '#server/features/indexing/start-again.ts';
import { PageRenderer } from '#server/platform/browser/page-renderer.ts';
import { systemClock } from '#server/platform/clock.ts';
import { chromiumPath, hasChromium } from '#test/e2e/chromium.ts';
import { startLoopbackServer } from '../services/loopback-server.ts';
import { openRig, type Rig } from './rig.ts';

/** One page for every address; a script fetches the text by the path, and the links. */
const shell = `<!doctype html><title>Guide</title><div id="app"></div><script>
  const name = location.pathname.replace('/docs/', '') || 'start';
  fetch('/texts/' + name + '.json').then((r) => r.json()).then(({ title, text, links }) => {
    document.title = title;
    document.querySelector('#app').innerHTML = '<main><h1>' + title + '</h1><p>' + text + '</p>' +
      links.map((link) => '<a href="/docs/' + link + '">about ' + link + '</a> ').join('') + '</main>';
  });
</script>`;

async function scriptedSite() {
  const texts = new Map([
    ['start', { title: 'Start', text: 'Everything begins with the kettle.', links: ['tea', 'coffee', 'stuck'] }],
    ['tea', { title: 'Tea', text: 'Steep the leaves for three minutes.', links: [] }],
    ['coffee', { title: 'Coffee', text: 'Grind the beans coarsely.', links: [] }],
  ]);
  const server = await startLoopbackServer((request, response) => {
    const path = request.url ?? '';
    const text = texts.get(path.replace(/^\/texts\/|\.json$/g, ''));
    if (path === '/docs/stuck')
      return response.writeHead(200, { 'content-type': 'text/html' }).end('<script>for(;;){}</script>');
    if (path.startsWith('/docs/'))
      return response.writeHead(200, { 'content-type': 'text/html', etag: '"shell"' }).end(shell);
    if (text === undefined) return response.writeHead(404).end();
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(text));
  });
  onTestFinished(() => server.close());
  const rig = await openRig({ allowHosts: [`127.0.0.1:${server.port}`] });
  return { texts, rig, url: `${server.origin}/docs/` };
}

function withBrowser(rig: Rig): void {
  const { outbound } = rig.deps;
  const limits = { timeoutMs: 10_000, restMs: 2_000 };
  const renderer = new PageRenderer({
    ...{ executablePath: chromiumPath ?? '', userAgent: 'SampleBot/1', outbound, clock: systemClock, limits },
  });
  onTestFinished(() => renderer.close());
  rig.deps.renderer = renderer;
}

test.skipIf(!hasChromium)(
  'a site built by scripts is indexed as rendered, links included; only a page that never finishes fails',
  async () => {
    const { rig, url, texts } = await scriptedSite();
    withBrowser(rig);
    const job = await rig.index(url, { moduleId: 'guide', rendersScripts: true });
    expect(job).toMatchObject({ status: 'COMPLETE', error: null, fetched: 3, failed: 1 });
    expect((await getJobLog(rig.ctx, { jobId: job.id, limit: 10 })).entries).toEqual([
      { address: `${url}stuck`, status: 'failed', reason: 'render-timeout' },
    ]);
    expect(await rig.read(`${url}tea`)).toContain('three minutes');
    expect((await listModules(rig.ctx))[0]).toMatchObject({ rendersScripts: true, pageCount: 3 });
    // The page itself is unchanged, but not the data that its script fetches.
    texts.set('tea', { title: 'Tea', text: 'Steep the leaves for five minutes.', links: [] });
    await refreshModule(rig.ctx, { moduleId: 'guide' }, rig.notices);
    expect(await rig.runNext()).toMatchObject({ status: 'COMPLETE', fetched: 1, unchanged: 2 });
    expect(await rig.read(`${url}tea`)).toContain('five minutes');
  },
  120_000,
);

test('without a browser the run fails and names the setting; without scripts the site has no text', async () => {
  const { rig, url } = await scriptedSite();
  expect(await rig.index(url, { moduleId: 'guide', rendersScripts: true })).toMatchObject({
    status: 'FAILED',
    error: 'This installation has no browser for sites that need scripts. The operator can set LECTERN_CHROMIUM.',
  });
  expect(await rig.index(url, { moduleId: 'other' })).toMatchObject({
    status: 'FAILED',
    error: expect.stringContaining('builds its pages in the browser'),
  });
});
