import { expect, onTestFinished, test } from 'vitest';
import { libraryEndpoints } from '#contract/library.ts';
import { startSampleSite } from '../library/sample-site.ts';
import { newDataFolder, startServerProcess } from '../library/server-process.ts';
import { until } from '../services/until.ts';
import { startCli } from './run-cli.ts';

test('SIGTERM ends "index --wait" and leaves the run to the server', { timeout: 120_000 }, async () => {
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
