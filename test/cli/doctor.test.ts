import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { migrations } from '#server/platform/db/migrations.ts';
import { connectDatabase, openDatabase } from '#server/platform/db/open-database.ts';
import { emptyDatabaseConfig, onEachDatabase } from '../services/database.ts';
import { newInstallation } from '../services/new-installation.ts';
import { startS3 } from '../services/s3.ts';
import { openSmallDisk } from '../services/small-disk.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { until } from '../services/until.ts';
import { cli, startServer } from './run-cli.ts';

/** Creates a data folder with one module of one or more pages. */
async function dataWithModule(pages = 1, env: Record<string, string> = {}): Promise<string> {
  const data = temporaryFolder();
  const guide = join(temporaryFolder(), 'guide');
  mkdirSync(guide);
  for (let page = 0; page < pages; page += 1) {
    const words = Array.from({ length: pages === 1 ? 1 : 100 }, (_, at) => `warp${(page * 31 + at * 17) % 500}`);
    const text = `# Looms ${page}\n\nThread the heddles before winding the ${words.join(' ')}.\n`;
    writeFileSync(join(guide, `looms${page}.md`), text);
  }
  expect((await cli(['index', guide, '--name', 'looms', '--data', data], { env })).code).toBe(0);
  return data;
}

function segmentFiles(data: string): string[] {
  return readdirSync(join(data, 'blobs/segments'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

test('the doctor checks every module and changes nothing', async () => {
  const data = await dataWithModule();
  const { code, output } = await cli(['doctor', '--data', data]);
  expect(output).toMatch(/^ok\s+module looms: 1 page; all of \d+ passages? in 1 segment can be read$/m);
  expect(output).toMatch(/^ok\s+database: /m);
  expect(output).not.toMatch(/^fail/m);
  expect(code).toBe(0);
});

test('the doctor says how applications identify themselves, without reaching their sites', async () => {
  const data = await dataWithModule();
  const lineOf = async (env: Record<string, string>) => {
    const { output } = await cli(['doctor', '--data', data], { env });
    return /^ok\s+client documents: (.*)$/m.exec(output)?.[1];
  };
  expect(await lineOf({})).toMatch(
    /^on; 0 descriptions read so far; copies of \d+ clients from 20\d\d-\d\d-\d\d are used if a site cannot be reached/,
  );
  expect(await lineOf({ LECTERN_CLIENT_DOCUMENTS: 'off' })).toBe(
    'off (LECTERN_CLIENT_DOCUMENTS); applications register here instead',
  );
});

test('the doctor finds a damaged segment and says how to fix it', async () => {
  const data = await dataWithModule();
  const segments = segmentFiles(data);
  expect(segments).toHaveLength(1);
  for (const file of segments) {
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0, Math.floor(bytes.length * 0.3)));
  }
  const { code, output } = await cli(['doctor', '--data', data]);
  expect(output).toMatch(/^fail\s+module looms: .*Refresh it, or run "lectern index/m);
  expect(output).not.toMatch(/\n\s+at /);
  expect(code).toBe(1);
});

test('the doctor names a module with a damaged row, and searches keep working', async () => {
  const data = await dataWithModule();
  const db = new DatabaseSync(join(data, 'data.sqlite'));
  db.exec(`update modules set source = '{"kind":"fol'`);
  db.close();
  const { code, output } = await cli(['doctor', '--data', data]);
  expect(output).toMatch(/^fail\s+module looms: its row has lost .*; refresh it, or run "lectern index ADDRESS/m);
  expect(code).toBe(1);
  expect((await cli(['search', 'heddles', '--data', data])).output).toContain('Thread the heddles');
  const deep = await cli(['doctor', '--deep', '--data', data]);
  expect(deep.output).toMatch(
    /^fail\s+database: sqlite the row \S+ of modules has no readable source; refresh the module/m,
  );
});

onEachDatabase('damaged history rows', (kind) => {
  test('are named and emptied by the doctor, and other damaged rows are left unchanged', {
    timeout: 120_000,
  }, async () => {
    const config = await emptyDatabaseConfig(kind);
    const env: Record<string, string> = config.kind === 'postgres' ? { DATABASE_URL: config.url } : {};
    const data = await dataWithModule(1, env);
    const { query, close } = connectDatabase(
      config.kind === 'postgres' ? config : { kind: 'sqlite', file: join(data, 'data.sqlite') },
    );
    onTestFinished(close);
    await query.updateTable('jobRuns').set({ settings: '{"kind":"fol', quality: '[' }).execute();
    await query.updateTable('auditLog').set({ detail: '{' }).execute();
    await query.insertInto('settings').values({ name: 'left', value: '{' }).execute();
    await query.updateTable('modules').set({ source: '{' }).execute();
    const doctor = (...more: string[]) => cli(['doctor', '--deep', ...more, '--data', data], { env });
    const { code, output } = await doctor();
    const ofRun = (name: string) =>
      new RegExp(
        `^fail\\s+database: ${kind} the row \\S+ of job_runs has no readable ${name};.*--repair fixes it`,
        'm',
      );
    expect(output).toMatch(ofRun('settings'));
    expect(output).toMatch(ofRun('quality'));
    expect([code, output]).toEqual([1, expect.stringMatching(/of audit_log has no readable detail;.*--repair fixes/)]);
    const repaired = await doctor('--repair');
    expect(repaired.output).toMatch(/^ok\s+database: \S+: settings is empty now$/m);
    const left = (await doctor()).output.split('\n').filter((line) => /^fail\s+database/.test(line));
    expect(left).toEqual([expect.stringMatching(/of modules has no readable source; refresh the module$/)]);
    const run = await query.selectFrom('jobRuns').select(['settings', 'quality', 'slug']).executeTakeFirst();
    expect(run).toEqual({ settings: '{}', quality: null, slug: 'looms' });
  });
});

test('the doctor reports no damaged index while the file store is unreachable', async () => {
  const s3 = await startS3();
  const env = {
    ...{ BLOB_STORE: `s3://${s3.config.bucket}/x`, S3_ENDPOINT: s3.config.endpoint ?? '' },
    ...{ S3_ACCESS_KEY_ID: 'AKIDEXAMPLE', S3_SECRET_ACCESS_KEY: 'secret' },
  };
  const data = await dataWithModule(1, env);
  await s3.stop();
  rmSync(join(data, 'cache'), { recursive: true });
  const { code, output } = await cli(['doctor', '--data', data], { env });
  expect(output).toMatch(/^fail\s+module looms: cannot be read \(.*does not answer/m);
  expect(output).toMatch(/^fail\s+files: .*does not answer/m);
  expect(output).not.toMatch(/^fail\s+database/m);
  expect(output).not.toContain('damaged');
  expect(code).toBe(1);
}, 60_000);

test('the doctor finds one changed byte outside passages, in the lookup structures of a search', async () => {
  const data = await dataWithModule(300);
  const [file = ''] = segmentFiles(data);
  const bytes = readFileSync(file);
  // A segment begins with its postings.
  const at = 2_000;
  writeFileSync(file, bytes.fill((bytes[at] ?? 0) ^ 0x10, at, at + 1));
  const { code, output } = await cli(['doctor', '--data', data]);
  expect(output).toMatch(/^fail\s+module looms: The index of "looms" is damaged\. Refresh it, or run "lectern index/m);
  expect(code).toBe(1);
});

test('an index with another format version is not reported as damaged, and indexing again fixes it', async () => {
  const data = await dataWithModule();
  const current = readFileSync(segmentFiles(data)[0] ?? '').readUInt32LE(8);
  for (const [version, age] of [
    [current - 1, 'an older'],
    [current + 1, 'a newer'],
  ] as const) {
    // The previous version's segments may still exist until a later sweep.
    for (const file of segmentFiles(data)) {
      const other = readFileSync(file);
      other.writeUInt32LE(version, 8);
      writeFileSync(file, other);
    }
    const { code, output } = await cli(['doctor', '--data', data]);
    expect(output).toContain(`The index of "looms" was written by ${age} version of this program. Refresh it, or run`);
    expect(output).not.toContain('damaged');
    expect(code).toBe(1);
    const source = /lectern index ([^"]+)"/.exec(output)?.[1] ?? '';
    expect(await cli(['index', source, '--name', 'looms', '--data', data])).toMatchObject({ code: 0 });
    expect((await cli(['search', 'heddles', '--data', data])).output).toContain('Thread the heddles');
  }
});

test('the doctor reports a file that is not a database', async () => {
  const data = temporaryFolder();
  writeFileSync(join(data, 'data.sqlite'), 'this is not a database, whatever its name says'.repeat(100));
  const { code, output } = await cli(['doctor', '--data', data]);
  expect(output).toMatch(/^fail\s+database: /m);
  expect(code).toBe(1);
});

test('a data folder on a full disk fails the write check, and the check leaves no files behind', async (context) => {
  const disk = openSmallDisk(4);
  if (disk === undefined) return context.skip();
  const data = join(disk.folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  disk.fill();
  const { code, output } = await cli(['doctor', '--data', data]);
  expect(output).toMatch(/^fail\s+data folder: .*is full\. Free some space/m);
  expect(code).toBe(1);
  expect(readdirSync(data)).toEqual([]);
});

test('files are private in a folder that others can enter, and the doctor warns if they are not', async () => {
  const data = temporaryFolder();
  chmodSync(data, 0o755);
  const guide = join(temporaryFolder(), 'guide');
  mkdirSync(guide);
  writeFileSync(join(guide, 'looms.md'), '# Looms\n\nThread the heddles.\n');
  expect((await cli(['index', guide, '--data', data])).code).toBe(0);
  const open = readdirSync(data).filter((name) => (statSync(join(data, name)).mode & 0o077) > 0);
  expect(open).toEqual([]);
  expect((await cli(['doctor', '--data', data])).output).toMatch(/^ok\s+data folder: /m);
  chmodSync(join(data, 'data.sqlite'), 0o644);
  expect((await cli(['doctor', '--data', data])).output).toMatch(/^warn\s+data folder: other users .* chmod -R go= /m);
});

test('a missing data folder is not an error and is not created', async () => {
  const data = join(temporaryFolder(), 'later');
  const { code, output } = await cli(['doctor', '--data', data]);
  expect(output).toMatch(/^warn\s+data folder: .* does not exist yet/m);
  expect(code).toBe(0);
  expect(() => readdirSync(data)).toThrow('ENOENT');
});

test('a deep check fails on a folder without data, and no check creates or upgrades a database', async () => {
  const data = temporaryFolder();
  const [look, deep] = [await cli(['doctor', '--data', data]), await cli(['doctor', '--deep', '--data', data])];
  expect([look.code, look.output]).toEqual([0, expect.stringMatching(/^warn\s+database: .*has no data yet/m)]);
  expect([deep.code, deep.output]).toEqual([1, expect.stringMatching(/^fail\s+database: .*nothing to compare/m)]);
  expect(readdirSync(data)).toEqual([]);

  const file = join(data, 'data.sqlite');
  await (await openDatabase({ kind: 'sqlite', file })).close();
  const rows = new DatabaseSync(file);
  const last = migrations.at(-1)?.name ?? '';
  rows.prepare('delete from schema_migrations where name = ?').run(last);
  for (const words of [['doctor'], ['doctor', '--deep']]) {
    const { code, output } = await cli([...words, '--data', data]);
    expect([code, output]).toEqual([1, expect.stringMatching(/^fail\s+database: an older version/m)]);
  }
  expect(rows.prepare('select count(*) as count from schema_migrations where name = ?').get(last)).toEqual({
    count: 0,
  });
  rows.close();
});

test('the doctor reports files without a module and modules without their file', async () => {
  const data = await dataWithModule();
  expect((await cli(['doctor', '--data', data])).output).toMatch(/^ok\s+library: every file belongs to a row/m);
  mkdirSync(join(data, 'blobs/runs/gone'), { recursive: true });
  writeFileSync(join(data, 'blobs/runs/gone/0.jsonl.zst'), 'left behind');
  const strewn = await cli(['doctor', '--data', data]);
  expect(strewn.output).toMatch(
    /^warn\s+library: runs\/gone\/0\.jsonl\.zst belongs to no run; see "lectern store sweep"/m,
  );
  expect(strewn.code).toBe(0);
  for (const file of segmentFiles(data)) rmSync(file);
  const lost = await cli(['doctor', '--data', data]);
  expect(lost.output).toMatch(
    /^fail\s+library: looms serves the segment segments\/\S+, which is missing; index it again$/m,
  );
  expect(lost.code).toBe(1);
});

test('the doctor reports runs that wait because no worker is running, whatever the roles of this process', async () => {
  const data = await dataWithModule();
  const statusOf = async () => {
    const { output } = await cli(['doctor', '--data', data]);
    return /^(\S+)\s+status: (.*)$/m.exec(output)?.slice(1).join(' ');
  };
  expect(await statusOf()).toBe('ok no process is running');
  const now = Date.now();
  const change = (statement: string, ...values: (string | number)[]) => {
    const database = new DatabaseSync(join(data, 'data.sqlite'));
    database.prepare(statement).run(...values);
    database.close();
  };
  change(
    `insert into job_runs (id, slug, display_name, url, settings, kind, workspace, status, created_at, updated_at, started_by_user_id)
     select 'waiting', slug, display_name, url, settings, kind, workspace, 'QUEUED', ?, ?, started_by_user_id from job_runs`,
    ...[now - 1_200_000, now - 1_200_000],
  );
  expect(await statusOf()).toMatch(/^warn no process is running; 1 index run waiting, .* role worker$/);
  // A web process on another machine reports a sample; the workers were killed.
  change(
    `insert into status_samples (resolution, at, part, process, good, impaired, bad, took_ms, minutes) values ('minute', ?, 'database', 'pages', 1, 0, 0, 1, 1)`,
    now - (now % 60_000),
  );
  expect(await statusOf()).toMatch(/^fail Indexing is down; 1 index run waiting, the oldest for 12\d\d s/);
});

test('a server with a changed secret reports it in its log, status and metrics and to the doctor', async () => {
  const data = await newInstallation();
  expect((await cli(['key', 'create', 'one', '--data', data])).code).toBe(0);
  const env = { LECTERN_SECRET: 'ab'.repeat(32), LECTERN_ALLOW_HOSTS: '127.0.0.1:81' };
  const server = await startServer(data, { env });
  const line = await until('the log has it', () =>
    /cannot decrypt 1 API keys: [^"]*/.exec(server.output() + server.errors()),
  );
  expect(line[0]).toMatch(/set LECTERN_SECRET, or restore the file secret$/);
  const metrics = async () => (await fetch(`${server.url}/metrics`)).text();
  await until('it was measured', async () => (await metrics()).includes('lectern_part_up{part="secret"} 0'));
  const { code, output } = await cli(['doctor', '--data', data]);
  expect(output).toMatch(/^fail\s+status: Stored secrets is down/m);
  // This command has neither variable.
  expect(output).toMatch(/^ok\s+settings of the server: .*\bLECTERN_ALLOW_HOSTS=127\.0\.0\.1:81\b/m);
  expect(output).toMatch(/\bLECTERN_SECRET is set\b/);
  expect(output).not.toContain('abab');
  expect(output).toMatch(/^ok\s+secret: decrypts 1 stored secret$/m);
  expect(code).toBe(1);
});

test('no command replaces a missing secret unless told that the old one is lost for good', async () => {
  const data = await dataWithModule();
  expect((await cli(['key', 'create', 'one', '--data', data])).code).toBe(0);
  const [secret, kept] = [join(data, 'secret'), join(data, 'kept')];
  renameSync(secret, kept);
  for (const command of [['start'], ['key', 'create', 'two'], ['store', 'sweep']]) {
    const { code, errors } = await cli([...command, '--data', data]);
    expect([code, errors]).toEqual([1, expect.stringMatching(/put the file back from a backup.*--new-webhook-key/)]);
  }
  const seen = await cli(['doctor', '--data', data]);
  expect(seen.output).toMatch(/^fail\s+secret: The secret of this installation is missing/m);
  expect(seen.output).toMatch(/^ok\s+module looms/m);
  const renew = ['secret', 'renew', '--new-webhook-key', '--data', data];
  const [unsure, wrong] = [await cli(renew), await cli(renew, { env: { LECTERN_SECRET: 'ab'.repeat(32) } })];
  for (const { code, errors } of [unsure, wrong]) {
    expect([code, errors]).toEqual([1, expect.stringMatching(/No key here decrypts 1 API keys\..*--yes/)]);
  }
  expect(existsSync(secret)).toBe(false);

  renameSync(kept, secret);
  expect((await cli(renew)).output).toMatch(/^API keys +1 +0 +0$/m);
  expect((await cli(['doctor', '--data', data])).output).toMatch(/^ok\s+secret: decrypts 1 stored secret$/m);

  rmSync(secret);
  const sure = await cli([...renew, '--yes']);
  expect([sure.code, sure.output]).toEqual([0, expect.stringContaining('The values that no key can decrypt are lost')]);
  const { url } = await startServer(data);
  await until('it was measured', async () =>
    (await (await fetch(`${url}/metrics`)).text()).includes('lectern_part_up{part="secret"} 1'),
  );
});

test('each ok follows a real check: of the secret, of the browser, of the folder in a deep check', async () => {
  const data = await dataWithModule();
  expect((await cli(['key', 'create', 'one', '--data', data])).code).toBe(0);
  const well = await cli(['doctor', '--data', data]);
  expect(well.output).toMatch(/^ok\s+secret: decrypts 1 stored secret$/m);
  expect(well.output).toMatch(/^warn\s+Chromium: LECTERN_CHROMIUM is not set/m);
  const env = { LECTERN_SECRET: 'ab'.repeat(32), LECTERN_CHROMIUM: '/usr/bin/nothing-here' };
  const wrong = await cli(['doctor', '--data', data], { env });
  expect(wrong.output).toMatch(/^fail\s+secret: cannot decrypt 1 API keys; set LECTERN_SECRET/m);
  expect(wrong.output).toMatch(/^fail\s+Chromium: \/usr\/bin\/nothing-here cannot be started \(ENOENT\)/m);
  expect(wrong.code).toBe(1);
  const nowhere = await cli(['doctor', '--deep', '--data', join(data, 'nowhere')]);
  expect(nowhere.output).toMatch(/^fail\s+data folder: .*does not exist, so there is nothing to compare/m);
  expect(nowhere.code).toBe(1);
});
