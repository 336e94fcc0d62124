import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { gitEnvironment } from './git-repository.ts';
import { startGitServer } from './git-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

const run = promisify(execFile);

test('a clone over HTTP contains the commits, and works only with the right credential', async () => {
  const server = await startGitServer(temporaryFolder());
  onTestFinished(() => server.stop());
  const repository = await server.add('team/handbook');
  await repository.commit({ 'README.md': '# Handbook', 'docs/old.md': 'old', link: { linkTo: 'README.md' } });
  await repository.commit({ 'docs/old.md': null, 'docs/new "name".md': 'new' });
  await repository.tag('v1');
  const target = join(temporaryFolder(), 'clone');
  const env = { ...gitEnvironment(), GIT_TERMINAL_PROMPT: '0' };
  await run('git', ['clone', '--quiet', repository.url, target], { env });
  expect(readFileSync(join(target, 'docs/new "name".md'), 'utf8')).toBe('new');
  expect((await run('git', ['-C', target, 'ls-files'], { env })).stdout).not.toContain('old');
  repository.restrictTo('robot:s3cret');
  const list = (url: string) => run('git', ['ls-remote', url], { env }).then(({ stdout }) => stdout);
  await expect(list(repository.url)).rejects.toThrow();
  expect(await list(repository.url.replace('//', '//robot:s3cret@'))).toContain('refs/tags/v1');
});
