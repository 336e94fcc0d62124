import { chmodSync, existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { commands } from '#server/cli/main.ts';
import { newInstallation } from '../services/new-installation.ts';
import { hasPostgres, ordinaryUser, startPostgres } from '../services/postgres.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { until } from '../services/until.ts';
import { cli, isOneSentence, serveSite, startCli } from './run-cli.ts';

async function guideFolder(): Promise<string> {
  const folder = join(temporaryFolder(), 'guide');
  await mkdir(folder);
  await writeFile(
    join(folder, 'lamps.md'),
    '# Lamps\n\n## Wicks\n\nTrim the wick of a paraffin lamp before lighting it.\n',
  );
  return folder;
}

test('a folder is indexed, listed, searched and removed without a server', async () => {
  const data = temporaryFolder();
  const indexed = await cli(['index', await guideFolder(), '--name', 'lamps', '--data', data]);
  expect(indexed.errors).not.toContain('lectern:');
  expect(indexed.code).toBe(0);
  expect(indexed.output).toMatch(/^lamps: (?:1 passage|\d+ passages) from 1 of 1 page in/);

  const modules = await cli(['modules', '--json', '--data', data]);
  expect((JSON.parse(modules.output) as { moduleId: string }[]).map(({ moduleId }) => moduleId)).toEqual(['lamps']);

  const found = await cli(['search', 'trim the wick', '--data', data]);
  expect(found.output).toContain('Trim the wick of a paraffin lamp');
  const asJson = await cli(['search', 'trim the wick', '--json', '--data', data]);
  expect(JSON.parse(asJson.output)).toMatchObject({ query: 'trim the wick', results: [{ moduleId: 'lamps' }] });

  expect((await cli(['remove', 'lamps', '--data', data])).code).toBe(0);
  const gone = await cli(['search', 'trim the wick', '--json', '--data', data]);
  expect(JSON.parse(gone.output)).toMatchObject({ results: [] });
});

test('"key create" prints only the key on standard output', async () => {
  const { code, output, errors } = await cli(['key', 'create', 'my agent', '--data', await newInstallation()]);
  expect(output).toMatch(/^lec_[0-9A-Za-z]{38}\n$/);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
});

test('a command whose output no one reads ends without a stack trace', async () => {
  const { child, ended } = startCli(['doctor', '--data', await newInstallation()]);
  child.stdout?.destroy();
  expect(await ended).toMatchObject({ code: 141, errors: '' });
});

test('a module that does not exist is named with the way to see those that do', async () => {
  const { code, output, errors } = await cli(['remove', 'nothing', '--data', await newInstallation()]);
  expect(errors).toContain('Module "nothing" not found. Check its id.');
  expect(isOneSentence(errors)).toBe(true);
  expect({ code, output }).toEqual({ code: 1, output: '' });
});

test('a failed job exits with code 1 and its reason', async () => {
  const { host, origin } = await serveSite((_request, response) => response.writeHead(404).end('no'));
  const data = temporaryFolder();
  const { code, errors } = await cli(['index', `${origin}/missing/`, '--data', data], {
    env: { LECTERN_ALLOW_HOSTS: host },
  });
  expect(code).toBe(1);
  expect(errors).toMatch(/lectern: .+ was not indexed: .*404/);
});

test('a private address is refused unless it is allowed', async () => {
  const { origin } = await serveSite((_request, response) => response.end('<h1>Inside</h1>'));
  const { code, errors } = await cli(['index', `${origin}/`, '--data', temporaryFolder()]);
  expect(code).toBe(1);
  expect(errors).toContain('LECTERN_ALLOW_HOSTS');
});

test('a command for an existing installation does not create one, and names the next step', async () => {
  const data = join(temporaryFolder(), 'mistyped');
  const further: Record<string, string[]> = {
    'people delete': ['--yes'],
    'secret renew': ['--new-webhook-key'],
  };
  const project = temporaryFolder();
  await writeFile(join(project, 'go.mod'), 'module shop\n\nrequire golang.org/x/text v0.3.0\n');
  const creating: Record<string, string[]> = {
    index: [await guideFolder()],
    'key create': ['first'],
    'people create': ['anna@example.org'],
    profile: [project, '--offline'],
  };
  const elsewhere = [...Object.keys(creating), 'start', 'restore', 'move', 'connect', 'doctor', 'backup'];
  const others = commands.filter(({ shape }) => !elsewhere.includes(shape.name));
  expect(others.length).toBe(commands.length - elsewhere.length);
  for (const { shape } of others) {
    const given = shape.positionals.map((slot) => (slot === 'a number' ? '1' : slot));
    const args = [...shape.name.split(' '), ...given, ...(further[shape.name] ?? []), '--data', data];
    const { code, output, errors } = await cli(args);
    expect([shape.name, code, output, errors]).toEqual([
      shape.name,
      1,
      '',
      expect.stringMatching(/^lectern: There is no installation in .*mistyped\..*--data.*"lectern start"\.\n$/),
    ]);
  }
  expect(existsSync(data)).toBe(false);
  for (const [name, given] of Object.entries(creating)) {
    const folder = `${data}-${name}`;
    const { errors } = await cli([...name.split(' '), ...given, '--data', folder]);
    expect([name, errors]).toEqual([name, expect.stringContaining(`Created a new installation in ${folder}.`)]);
  }
}, 120_000);

test('no installation is created for a user of a server elsewhere', async () => {
  const data = join(temporaryFolder(), 'data');
  const env = { LECTERN_URL: 'https://docs.example.org', LECTERN_DATA: data };
  const { code, output, errors } = await cli(['key', 'create', 'first'], { env });
  expect([code, output, errors]).toEqual([1, '', expect.stringContaining(`There is no installation in ${data}.`)]);
  expect(existsSync(data)).toBe(false);
});

test.skipIf(!hasPostgres())('nor does it create one in an empty PostgreSQL database', async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.stop());
  await postgres.createDatabase('mistyped');
  const env = { DATABASE_URL: postgres.url('mistyped'), LECTERN_DATA: join(temporaryFolder(), 'data') };
  const { code, errors } = await cli(['store', 'adopt'], { env });
  expect([code, errors]).toEqual([1, expect.stringMatching(/has no installation\. Correct DATABASE_URL/)]);
  expect(existsSync(env.LECTERN_DATA)).toBe(false);
});

test('a data folder that is a file is refused with advice', async () => {
  const file = join(temporaryFolder(), 'file');
  await writeFile(file, 'x');
  const { code, errors } = await cli(['index', temporaryFolder(), '--data', file]);
  expect(errors).toContain('is not a folder');
  expect(isOneSentence(errors)).toBe(true);
  expect(code).toBe(1);
});

test('a data folder that cannot be created or written is refused with advice', async () => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o555);
  const user = await ordinaryUser();
  for (const data of [folder, join(folder, 'within')]) {
    const { code, errors } = await cli(['index', '/', '--data', data], { user });
    expect(errors).toMatch(/cannot be (created|written).*--data/);
    expect(isOneSentence(errors)).toBe(true);
    expect(code).toBe(1);
  }
});

test('an interrupted index job stops cleanly and continues with the same command', async () => {
  const data = temporaryFolder();
  const held: (() => void)[] = [];
  let isHolding = true;
  const { host, origin } = await serveSite((request, response) => {
    const path = request.url ?? '/';
    const links = [1, 2, 3, 4].map((page) => `<a href="/docs/page${page}.html">page ${page}</a>`).join(' ');
    const body = `<html><body><main><h1>Page ${path}</h1><p>Text about ${path} that is long enough.</p>${links}</main></body></html>`;
    const isKnown = /^\/docs\/(page\d\.html)?$/.test(path);
    const answer = () =>
      response
        .writeHead(isKnown ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' })
        .end(isKnown ? body : 'no');
    if (isHolding && path.includes('page')) held.push(answer);
    else answer();
  });
  const env = { env: { LECTERN_ALLOW_HOSTS: host } };
  const running = startCli(['index', `${origin}/docs/`, '--name', 'site', '--data', data], env);
  await until('a page was asked for', () => held.length > 0);
  running.child.kill('SIGINT');
  await until('the command said that it stops', () => running.errors().includes('Stopping'));
  isHolding = false;
  for (const answer of held) answer();
  const stopped = await running.ended;
  expect(stopped.errors).toContain('Cancelled.');
  expect(stopped.code).toBe(130);

  const again = await cli(['index', `${origin}/docs/`, '--name', 'site', '--data', data], env);
  expect(again.code).toBe(0);
  const modules = JSON.parse((await cli(['modules', '--json', '--data', data])).output) as { pageCount: number }[];
  expect(modules[0]?.pageCount).toBe(5);
});

test('a second process that wants to change the same data folder learns which process holds it', async () => {
  const data = temporaryFolder();
  const held: (() => void)[] = [];
  const { host, origin } = await serveSite((_request, response) => held.push(() => response.writeHead(404).end()));
  const first = startCli(['index', `${origin}/docs/`, '--data', data], { env: { LECTERN_ALLOW_HOSTS: host } });
  await until('the first page was asked for', () => held.length > 0);
  const second = await cli(['index', await guideFolder(), '--data', data]);
  expect(second.errors).toMatch(/is in use by .*lectern index/);
  expect(isOneSentence(second.errors)).toBe(true);
  expect(second.code).toBe(1);
  first.child.kill('SIGKILL');
  await first.ended;
});

test('details of an error are shown only on request', async () => {
  const args = ['remove', 'nothing', '--data', await newInstallation()];
  expect((await cli(args, { env: { LOG_LEVEL: 'debug' } })).errors).toMatch(/\n\s+at /);
  expect((await cli(args)).errors).not.toMatch(/\n\s+at /);
});
