import { expect, onTestFinished, test } from 'vitest';
import { libraryEndpoints } from '#contract/library.ts';
import { findRunningServer } from '#server/platform/running-server.ts';
import { startSampleSite } from '../library/sample-site.ts';
import { newDataFolder, startServerProcess } from '../library/server-process.ts';
import { startCuttableProxy } from '../services/cuttable-proxy.ts';
import { until } from '../services/until.ts';
import { startCli } from './run-cli.ts';

test('SIGTERM ends "index --wait" and leaves the run with the server', { timeout: 120_000 }, async () => {
  const site = await startSampleSite(30);
  onTestFinished(() => site.close());
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  let isReached = false;
  site.onRequest = (name) => {
    isReached ||= name === 'page10';
    return isReached ? held : undefined;
  };
  const data = newDataFolder();
  const server = await startServerProcess(data, site.host);
  const command = startCli(['index', site.url, '--name', 'sample', '--wait', '--data', data]);
  await until('the run is in the middle', () => isReached, 60_000);
  command.child.kill('SIGTERM');
  const { code, errors } = await command.ended;
  expect([code, errors]).toEqual([130, expect.stringContaining('The run continues in the server')]);
  letGo();
  const ended = await until(
    'the run has ended',
    async () => (await server.call(libraryEndpoints.listJobs, {})).jobs.find(({ endTime }) => endTime !== null),
    60_000,
  );
  expect(ended).toMatchObject({ status: 'COMPLETE', isCancelled: false, fetched: 31 });
  await server.kill();
});

test('"index --wait" survives a server that is unreachable for a while', { timeout: 120_000 }, async () => {
  const site = await startSampleSite(30);
  onTestFinished(() => site.close());
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  let isReached = false;
  site.onRequest = (name) => {
    isReached ||= name === 'page10';
    return isReached ? held : undefined;
  };
  const data = newDataFolder();
  const server = await startServerProcess(data, site.host);
  const proxy = await startCuttableProxy(Number(new URL(server.url).port));
  const key = (await findRunningServer(data))?.operatorToken ?? '';
  const command = startCli(
    ['index', site.url, '--name', 'sample', '--wait', '--server', `http://127.0.0.1:${proxy.port}`],
    { env: { LECTERN_API_KEY: key } },
  );
  await until(
    'the run is in the middle',
    () => {
      if (command.child.exitCode !== null) throw new Error(command.errors());
      return isReached;
    },
    20_000,
  );
  proxy.become('refusing');
  await until('the outage is told', () => command.errors().includes('The server is not responding'), 60_000);
  letGo();
  proxy.become('open');
  const { code, output } = await command.ended;
  expect([code, output]).toEqual([0, expect.stringContaining('31 of 31 pages')]);
  await server.kill();
});

test('"index --wait" continues with a replaced server', { timeout: 120_000 }, async () => {
  const site = await startSampleSite(30);
  onTestFinished(() => site.close());
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  let isReached = false;
  site.onRequest = (name) => {
    isReached ||= name === 'page10';
    return isReached ? held : undefined;
  };
  const data = newDataFolder();
  const server = await startServerProcess(data, site.host);
  const command = startCli(['index', site.url, '--name', 'sample', '--wait', '--data', data]);
  await until('the run is in the middle', () => isReached, 60_000);
  await server.kill();
  letGo();
  await until('the outage is told', () => command.errors().includes('The server is not responding'), 60_000);
  const next = await startServerProcess(data, site.host);
  const { code, output } = await command.ended;
  expect([code, output]).toEqual([0, expect.stringContaining('31 of 31 pages')]);
  await next.kill();
});
