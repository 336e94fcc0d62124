import { expect, onTestFinished, test, vi } from 'vitest';
import { libraryEndpoints } from '#contract/library.ts';
import { type RunningInstallation, serve } from '#server/cli/serve.ts';
import type { Config } from '#server/platform/config/config.ts';
import { findRunningServer } from '#server/platform/running-server.ts';
import { configOf, rawRequest } from '../http/http-rig.ts';
import { startSampleSite } from '../library/sample-site.ts';
import { newDataFolder } from '../library/server-process.ts';
import { until } from '../services/until.ts';

/** It takes seconds on an idle machine. */
const waitMs = 200_000;
vi.setConfig({ testTimeout: waitMs + 40_000 });

async function startWith(dataFolder: string, changes: Partial<Config>): Promise<RunningInstallation> {
  const running = await serve({ ...configOf(dataFolder), ...changes });
  onTestFinished(() => running.close());
  return running;
}

async function statusesOf({ port }: RunningInstallation): Promise<Record<string, number>> {
  const entries: [string, number][] = [];
  const json = { 'content-type': 'application/json' };
  for (const [method, path] of [
    ['GET', '/healthz'],
    ['GET', '/api/site'],
    ['GET', '/status'],
    ['POST', '/webhooks/stripe'],
    ['POST', '/mcp'],
    ['GET', '/search_documentation'],
    ['GET', '/.well-known/oauth-protected-resource/mcp'],
    ['GET', '/.well-known/oauth-authorization-server'],
  ] as const) {
    const { status } = await rawRequest(port, { method, path, headers: method === 'POST' ? json : {} });
    entries.push([`${method} ${path}`, status]);
  }
  return Object.fromEntries(entries);
}

const nothing = {
  'GET /healthz': 200,
  'GET /api/site': 404,
  'GET /status': 404,
  'POST /webhooks/stripe': 404,
  'POST /mcp': 404,
  'GET /search_documentation': 404,
  'GET /.well-known/oauth-protected-resource/mcp': 404,
  'GET /.well-known/oauth-authorization-server': 404,
};
const description = { 'GET /.well-known/oauth-protected-resource/mcp': 200 };

test('a process responds only to the paths of its roles', async () => {
  const agents = await startWith(newDataFolder(), { roles: ['mcp'] });
  const refused = { 'POST /mcp': 401, 'GET /search_documentation': 401 };
  expect(await statusesOf(agents)).toEqual({ ...nothing, ...description, ...refused });
  // Otherwise commands would call it for paths that it does not serve.
  expect(await findRunningServer(agents.installation.config.dataFolder)).toBeUndefined();
  const pages = await startWith(newDataFolder(), { roles: ['web'] });
  expect(await statusesOf(pages)).toEqual({
    ...nothing,
    ...description,
    'GET /api/site': 200,
    'GET /status': expect.any(Number),
    'POST /webhooks/stripe': 400,
    'GET /.well-known/oauth-authorization-server': 200,
  });
  expect(JSON.parse((await rawRequest(pages.port, { path: '/healthz' })).text)).toMatchObject({ roles: ['web'] });
});

test('a run started through a web process waits for a worker, which responds only to health checks', async () => {
  const site = await startSampleSite(2);
  onTestFinished(() => site.close());
  const dataFolder = newDataFolder();
  const pages = await startWith(dataFolder, { roles: ['web', 'mcp'], allowHosts: [site.host] });
  const { job } = await pages.installation.call(libraryEndpoints.startIndexJob, { source: site.url, moduleId: 'one' });
  const row = () =>
    pages.installation.base.db.query.selectFrom('jobRuns').select(['leaseOwner', 'status']).executeTakeFirstOrThrow();
  expect(await row()).toEqual({ leaseOwner: null, status: 'QUEUED' });
  await pages.close();
  expect(site.takeRequests()).toEqual([]);
  const worker = await startWith(dataFolder, { roles: ['worker'], allowHosts: [site.host] });
  expect(await statusesOf(worker)).toEqual(nothing);
  const isComplete = async () => {
    const { job: now } = await worker.installation.call(libraryEndpoints.getJob, { jobId: job.id });
    return now.status === 'COMPLETE';
  };
  await until('the run is complete', isComplete, waitMs);
});

test('a draining server reports not ready, still responds, and closes connections', async () => {
  const running = await startWith(newDataFolder(), { drainMs: 5_000 });
  const before = await rawRequest(running.port, { path: '/api/site', headers: { connection: 'keep-alive' } });
  expect([before.status, before.headers['connection']]).toEqual([200, 'keep-alive']);
  const closing = running.close();
  const health = await until('it is not ready any more', async () => {
    const answer = await rawRequest(running.port, { path: '/healthz' });
    return answer.status === 503 ? answer : undefined;
  });
  expect(JSON.parse(health.text)).toMatchObject({ ready: false });
  const during = await rawRequest(running.port, { path: '/api/site', headers: { connection: 'keep-alive' } });
  expect([during.status, during.headers['connection']]).toEqual([200, 'close']);
  await closing;
  await expect(rawRequest(running.port, { path: '/healthz' })).rejects.toThrow('ECONNREFUSED');
});
