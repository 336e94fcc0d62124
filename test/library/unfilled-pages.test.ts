import { expect, onTestFinished, test } from 'vitest';
import { summaryOf } from '#server/cli/progress.ts';
import { startLoopbackServer } from '../services/loopback-server.ts';
import { openRig } from './rig.ts';

test('pages filled by scripts are indexed, and the run and each refresh report their number', async () => {
  const pages: Record<string, string> = {
    '/docs/': '<main><h1>API</h1><p>All calls.</p><a href="boil">Boil</a> <a href="app">App</a></main>',
    '/docs/boil': '<main><h1>Boil water</h1><p>Heats it.</p><div class="openapi-skeleton sm"></div></main>',
    '/docs/app': '<body><div id="app"></div><script src="app.js"></script></body>',
  };
  const server = await startLoopbackServer((request, response) => {
    const page = pages[request.url ?? ''];
    if (page === undefined) return response.writeHead(404).end();
    return response.writeHead(200, { 'content-type': 'text/html' }).end(page);
  });
  onTestFinished(() => server.close());
  const rig = await openRig({ allowHosts: [`127.0.0.1:${server.port}`] });
  const reasons = expect.arrayContaining([
    { reason: 'needs-scripts', count: 2, examples: [`${server.origin}/docs/boil`, `${server.origin}/docs/app`] },
  ]);
  const first = await rig.index(`${server.origin}/docs/`, { moduleId: 'kettle' });
  expect(first).toMatchObject({ status: 'COMPLETE', found: 3, fetched: 2, skipped: 1, skipReasons: reasons });
  expect(summaryOf(first)).toContain('2 PAGES LACK TEXT THAT SCRIPTS ADD');
  expect(await rig.read(`${server.origin}/docs/boil`)).toContain('Heats it.');
  const again = await rig.index(`${server.origin}/docs/`, { moduleId: 'kettle' });
  expect(again).toMatchObject({ status: 'COMPLETE', found: 3, unchanged: 3, skipped: 0, skipReasons: reasons });
});
