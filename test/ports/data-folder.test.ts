import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { createFolder } from '#server/platform/create-folder.ts';
import { loadOrCreateSecret, prepareDataFolder } from '#server/platform/data-folder.ts';
import { acquireDataFolderLock, findHolder } from '#server/platform/data-folder-lock.ts';
import { announceServer, findRunningServer, withdrawServer } from '#server/platform/running-server.ts';
import { startProgram } from '#test/services/programs.ts';
import { temporaryFolder } from '#test/services/temporary-folder.ts';

const holdFolder = (folder: string) => startProgram('ports/programs/hold-data-folder.ts', { folder });

test('a missing data folder is created, private to its owner', async () => {
  const path = join(temporaryFolder(), 'deep', 'data');
  const folder = await prepareDataFolder(path);
  expect(folder).toEqual({ path });
  expect(statSync(path).mode & 0o777).toBe(0o700);
  expect(await prepareDataFolder(path)).toEqual(folder);
});

test('a file in place of the data folder is refused', async () => {
  const path = join(temporaryFolder(), 'file');
  writeFileSync(path, 'mine');
  for (const wrong of [path, join(path, 'below')]) {
    await expect(prepareDataFolder(wrong)).rejects.toMatchObject({
      code: 'not-a-folder',
      message: expect.stringContaining('--data'),
    });
  }
});

test('a folder without write permission is refused', async () => {
  const path = join(temporaryFolder(), 'data');
  mkdirSync(path);
  chmodSync(join(path, '..'), 0o755);
  chmodSync(path, 0o555);
  for (const [folder, code] of [
    [path, 'not-writable'],
    [join(path, 'below'), 'cannot-create'],
  ]) {
    const program = await startProgram('ports/programs/hold-data-folder.ts', { folder }, { asOrdinaryUser: true });
    expect(await program.rest()).toMatchObject([{ holds: false, code, message: expect.stringContaining(path) }]);
  }
});

test('a location where no folder can be created is reported, without further attempts', async () => {
  const loop = join(temporaryFolder(), 'loop');
  symlinkSync(loop, loop);
  const nowhere = join(temporaryFolder(), 'nowhere');
  symlinkSync(join(nowhere, 'at', 'all'), nowhere);
  const cases: [string, string][] = [
    [join(loop, 'data'), 'cannot-create'],
    [nowhere, 'cannot-create'],
    [join('/', 'x'.repeat(300), 'data'), 'cannot-create'],
    ...(existsSync('/proc/self') ? ([['/proc/lectern/data', 'cannot-create']] as [string, string][]) : []),
  ];
  for (const [folder, code] of cases) {
    // A separate process, because an endless attempt would keep this one from ending too.
    const program = await startProgram('ports/programs/hold-data-folder.ts', { folder });
    expect(await program.rest()).toMatchObject([{ holds: false, code, message: expect.stringContaining('--data') }]);
  }
});

test('a folder that many processes create at once is available to all', async () => {
  const path = join(temporaryFolder(), 'one', 'two', 'three');
  const made = await Promise.all(Array.from({ length: 8 }, () => createFolder(path)));
  expect(statSync(path).isDirectory()).toBe(true);
  expect(made).toContain(join(path, '..', '..'));
  expect(await createFolder(path)).toBeUndefined();
});

test.skipIf(!existsSync('/dev/full'))('a full disk is distinguished from a missing permission', async () => {
  const path = temporaryFolder();
  symlinkSync('/dev/full', join(path, '.write-test'));
  await expect(prepareDataFolder(path)).rejects.toMatchObject({
    code: 'disk-full',
    message: expect.stringContaining('Free some'),
  });
});

test('a second process learns which process holds the folder', async () => {
  const folder = temporaryFolder();
  const first = await holdFolder(folder);
  const { pid } = (await first.nextAnswer()) as { pid: number };
  const refusal = acquireDataFolderLock(folder, { purpose: 'an index job' });
  await expect(refusal).rejects.toMatchObject({
    code: 'in-use',
    holder: { pid, port: 4711, purpose: 'a test server' },
    message: expect.stringContaining(`a test server (process ${pid}, port 4711)`),
  });
  expect(await findHolder(folder)).toMatchObject({ pid });
  await first.kill();
});

test('the lock of a killed process is free at once, even if its process id is in use again', async () => {
  const folder = temporaryFolder();
  const first = await holdFolder(folder);
  await first.nextAnswer();
  await first.kill();
  // As if this process had the id of the dead one.
  writeFileSync(join(folder, 'lock.json'), JSON.stringify({ pid: process.pid, purpose: 'a ghost', port: 1 }));
  expect(await findHolder(folder)).toBeUndefined();
  expect(await findRunningServer(folder)).toBeUndefined();
  const lock = await acquireDataFolderLock(folder, { purpose: 'a test' });
  expect(await findHolder(folder)).toEqual({ pid: process.pid, purpose: 'a test' });
  await lock.release();
  await lock.release();
  expect(await findHolder(folder)).toBeUndefined();
});

test('partial files of killed processes are deleted by the next one, and nothing else is', async () => {
  const folder = temporaryFolder();
  const id = '0f8fad5b-d9cb-469f-a165-70867728950e';
  const [old, young, other] = [`secret.${id}.tmp`, `lock.json.${id}.tmp`, 'notes.tmp'].map((name) =>
    join(folder, name),
  );
  for (const path of [old, young, other]) writeFileSync(path ?? '', 'x');
  for (const path of [old, other]) utimesSync(path ?? '', 1, 1);
  await (await acquireDataFolderLock(folder, { purpose: 'a test' })).release();
  expect([old, young, other].map((path) => existsSync(path ?? ''))).toEqual([false, true, true]);
});

test('a process cannot take its lock twice, and keeps it after trying', async () => {
  const folder = temporaryFolder();
  const lock = await acquireDataFolderLock(folder, { purpose: 'the first', port: 5 });
  await expect(acquireDataFolderLock(folder, { purpose: 'the second' })).rejects.toMatchObject({
    code: 'in-use',
    holder: { pid: process.pid, purpose: 'the first', port: 5 },
  });
  await findHolder(folder);
  expect(await (await holdFolder(folder)).rest()).toMatchObject([{ holds: false, code: 'in-use' }]);
  await lock.release();
});

test('of many simultaneous processes exactly one gets the folder', async () => {
  const folder = temporaryFolder();
  const programs = await Promise.all([1, 2, 3, 4, 5].map(() => holdFolder(folder)));
  const answers = (await Promise.all(programs.map((program) => program.nextAnswer()))) as {
    holds: boolean;
    holder?: { pid: number };
  }[];
  const winner = answers.find((answer) => answer.holds) as { pid?: number } | undefined;
  expect(answers.filter((answer) => answer.holds)).toHaveLength(1);
  for (const answer of answers) if (!answer.holds) expect(answer.holder?.pid).toBe(winner?.pid);
  await Promise.all(programs.map((program) => program.kill()));
});

test('a process that only checks the lock does not keep a starting one out', async () => {
  const folder = temporaryFolder();
  await (await acquireDataFolderLock(folder, { purpose: 'an earlier start' })).release();
  const look = new DatabaseSync(join(folder, 'lock'), { readOnly: true });
  look.exec('begin');
  look.prepare('select count(*) from sqlite_schema').get();
  const starting = acquireDataFolderLock(folder, { purpose: 'a start' });
  look.exec('commit');
  await (await starting).release();
  look.close();
});

test('the running server’s address is found, is private, and is ignored once the server is dead', async () => {
  const folder = temporaryFolder();
  expect(await findRunningServer(folder)).toBeUndefined();
  const program = await holdFolder(folder);
  const { pid } = (await program.nextAnswer()) as { pid: number };
  expect(await findRunningServer(folder)).toEqual({ pid, host: '127.0.0.1', port: 4711, operatorToken: 'token' });
  expect(statSync(join(folder, 'server.json')).mode & 0o777).toBe(0o600);
  await program.kill();
  expect(await findRunningServer(folder)).toBeUndefined();
});

test('a stopped server leaves no address', async () => {
  const folder = temporaryFolder();
  await announceServer(folder, { pid: process.pid, host: '127.0.0.1', port: 1, operatorToken: 't' });
  await withdrawServer(folder);
  await withdrawServer(folder);
  expect(existsSync(join(folder, 'server.json'))).toBe(false);
});

test('the secret is created once, even by simultaneous processes, and is private', async () => {
  const folder = temporaryFolder();
  const secrets = await Promise.all(Array.from({ length: 8 }, () => loadOrCreateSecret(folder)));
  expect(new Set(secrets.map((secret) => Buffer.from(secret).toString('hex'))).size).toBe(1);
  expect(secrets[0]).toHaveLength(32);
  expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600);
  expect(await loadOrCreateSecret(temporaryFolder())).not.toEqual(secrets[0]);
});

test('a damaged secret is refused and not replaced', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'secret'), 'abc');
  await expect(loadOrCreateSecret(folder)).rejects.toMatchObject({ code: 'secret-damaged' });
  expect(readFileSync(join(folder, 'secret'), 'utf8')).toBe('abc');
});
