import { expect, onTestFinished, test } from 'vitest';
import { summaryOf } from '#server/cli/progress.ts';
import { getJobLog } from '#server/features/indexing/job-log.ts';
import { startLoopbackServer } from '../services/loopback-server.ts';
import { openRig } from './rig.ts';

const description = {
  openapi: '3.1.0',
  info: { title: 'Kettle', version: '1' },
  paths: { '/boil': { post: { operationId: 'boilWater', summary: 'Heats the water until it boils.' } } },
};

type Files = Record<string, [type: string, body: string]>;

async function kettleSite() {
  const files: Files = {
    '/docs/': [
      'text/html',
      '<main><h1>Kettle</h1><p>How to use the kettle.</p><a href="openapi.json">API</a> <a href="swagger-ui.json">settings</a> <a href="prices.json">prices</a></main>',
    ],
    '/docs/openapi.json': ['application/json', JSON.stringify(description)],
    '/docs/swagger-ui.json': ['application/json', '{"theme":"dark"}'],
    '/docs/prices.json': ['application/json', '{"kettle":30}'],
  };
  return siteOf(files);
}

async function siteOf(files: Files) {
  const server = await startLoopbackServer((request, response) => {
    const file = files[request.url ?? ''];
    if (file === undefined) return response.writeHead(404).end();
    return response.writeHead(200, { 'content-type': file[0] }).end(file[1]);
  });
  onTestFinished(() => server.close());
  return { url: `${server.origin}/docs/`, rig: await openRig({ allowHosts: [`127.0.0.1:${server.port}`] }) };
}

test('an API description that a site links to is read, other data is not', async () => {
  const { url, rig } = await kettleSite();
  const job = await rig.index(url, { moduleId: 'kettle' });
  expect(job).toMatchObject({ status: 'COMPLETE', fetched: 2 });
  expect(await rig.read(`${url}openapi.json`)).toContain('Heats the water until it boils.');
  const { entries } = await getJobLog(rig.ctx, { jobId: job.id, limit: 10 });
  expect(entries.map(({ address, reason }) => [address.slice(url.length), reason])).toEqual([
    ['swagger-ui.json', 'content-type'],
    ['prices.json', 'content-type'],
  ]);
});

test('an API description can be the start address of a site', async () => {
  const { url, rig } = await kettleSite();
  expect(await rig.index(`${url}openapi.json`, { moduleId: 'kettle' })).toMatchObject({
    status: 'COMPLETE',
    fetched: 1,
  });
  expect(await rig.index(`${url}prices.json`, { moduleId: 'prices' })).toMatchObject({
    status: 'FAILED',
    error: expect.stringContaining('is not a page of text'),
  });
});

test('an API viewer page is replaced by the description it shows, and nothing is reported missing', async () => {
  const { url, rig } = await siteOf({
    '/docs/': ['text/html', '<title>API</title><redoc spec-url="openapi.json"></redoc>'],
    '/docs/openapi.json': ['application/json', JSON.stringify(description)],
  });
  const job = await rig.index(url, { moduleId: 'kettle' });
  expect(job).toMatchObject({ status: 'COMPLETE', fetched: 1 });
  expect(summaryOf(job)).not.toContain('ONLY ONE PAGE');
});
