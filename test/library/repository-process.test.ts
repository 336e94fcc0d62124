import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { libraryEndpoints } from '#contract/library.ts';
import { searchEndpoints } from '#contract/search.ts';
import { cli } from '../cli/run-cli.ts';
import { startGitServer } from '../services/git-server.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { until } from '../services/until.ts';
import { newDataFolder, startServerProcess } from './server-process.ts';

async function openServer() {
  const server = await startGitServer(temporaryFolder());
  onTestFinished(() => server.stop());
  const repository = await server.add('team/handbook');
  await repository.commit({ 'README.md': '# Handbook', 'docs/lamps.md': '# Lamps\n\nTrim the wick of a lamp.' });
  return { server, repository };
}

/** Returns the processes whose working directory is in the folder. */
function programsIn(folder: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`GIT_DIR=${folder}`);
    } catch {
      // The process has ended.
      return false;
    }
  });
}

test('a repository is indexed from the command line, by its branch and folder', async () => {
  const { server, repository } = await openServer();
  const data = temporaryFolder();
  const env = { LECTERN_ALLOW_HOSTS: server.host };
  const args = ['index', repository.url, '--branch', 'main', '--folder', 'docs', '--name', 'handbook', '--data', data];
  const indexed = await cli(args, { env });
  expect(indexed.errors).not.toContain('lectern:');
  expect(indexed.output).toMatch(/^handbook: (?:1 passage|\d+ passages) from 1 of 1 page in/);
  const found = await cli(['search', 'trim the wick', '--data', data]);
  expect(found.output).toContain('/team/handbook.git/main/docs/lamps.md');
  const refused = await cli(['index', `${server.origin}/team/none.git`, '--data', data], { env });
  expect(refused.code).toBe(1);
  expect(refused.errors).toContain('The repository was not found on');
  const forgotten = await cli(['host-key', 'forget', 'git.example.org', '--data', data]);
  expect(forgotten.output).toBe('No key of git.example.org was stored.\n');
});

test('a server killed while fetching leaves no process, and its next start no folder', async () => {
  const { server, repository } = await openServer();
  const data = newDataFolder();
  const workFolder = join(data, 'git');
  const first = await startServerProcess(data, server.host);
  let isHeld = false;
  server.onRequest = (request) => {
    if (request.method !== 'POST' || isHeld) return false;
    isHeld = true;
    return new Promise(() => {});
  };
  const { job } = await first.call(libraryEndpoints.startIndexJob, { source: repository.url });
  await until('git is fetching', () => isHeld && programsIn(workFolder).length > 0);
  await first.kill();
  await until('no git runs any more', () => programsIn(workFolder).length === 0);
  expect(readdirSync(workFolder)).toHaveLength(1);
  const second = await startServerProcess(data, server.host);
  await until('the run has ended', async () => {
    return (await second.call(libraryEndpoints.getJob, { jobId: job.id })).job.status === 'COMPLETE';
  });
  expect(readdirSync(workFolder)).toEqual([]);
  const url = `${server.origin}/team/handbook.git/main/docs/lamps.md`;
  expect((await second.call(searchEndpoints.read, { url })).text).toContain('Trim the wick');
  await second.kill();
});
