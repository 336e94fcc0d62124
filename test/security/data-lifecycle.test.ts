import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { accountDetailEndpoints } from '#contract/account-details.ts';
import { callables } from '#contract/callables.ts';
import { identityEndpoints } from '#contract/identity.ts';
import { keyEndpoints } from '#contract/keys.ts';
import { searchEndpoints } from '#contract/search.ts';
import { teamEndpoints } from '#contract/teams.ts';
import { billingCycle } from '#server/features/credits/cycle.ts';
import type { Sender } from '../http/http-rig.ts';
import { startCuttableProxy } from '../services/cuttable-proxy.ts';
import { startS3 } from '../services/s3.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { until } from '../services/until.ts';
import { credential, openLives, person, question, type Server, start } from './lives.ts';

/** Returns every file below a folder with its bytes. A running server may delete files meanwhile. */
function filesOf(folder: string): { name: string; bytes: Buffer }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .flatMap((path) => {
      const bytes = ifPresent(() => readFileSync(path));
      return bytes === undefined ? [] : [{ name: path.slice(folder.length + 1), bytes }];
    });
}

function ifPresent<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

const holding = (folder: string, text: string) =>
  filesOf(folder)
    .filter(({ bytes }) => bytes.includes(text))
    .map(({ name }) => name);

async function deleteAccount(server: Server, sender: Sender): Promise<void> {
  const body = JSON.stringify({ data: { password: person.password } });
  const response = await server.send(`/callable/${callables.deleteUser.name}`, {
    method: 'POST',
    headers: sender,
    body,
  });
  expect(response.status).toBe(200);
}

describe('user data', () => {
  test('data-0001, data-0002, data-0003, data-0005, data-0007, data-0008: is exported, backed up, restored, and stays erased after deletion', async () => {
    const lives = await openLives();
    const { server, sender, dataFolder, environment, key, agent, search } = lives;
    const { query } = server.running.installation.base.db;
    const { id: userId } = await query
      .selectFrom('users')
      .select('id')
      .where('email', '=', person.email)
      .executeTakeFirstOrThrow();
    await query
      .insertInto('memberships')
      .values({
        ...{ id: 'm-canary', teamId: lives.teamId, userId, role: 'writer', state: 'accepted' },
        ...{ joinedAt: 0, acceptedAt: 0, email: person.email },
      })
      .execute();

    // Exported: all of it, without secrets.
    const told = await server.send(accountDetailEndpoints.exportPersonalData.path, { headers: sender });
    expect(told.headers.get('content-disposition')).toContain('account.json');
    const data = await told.text();
    for (const own of [
      ...[person.email, person.displayName, 'KEY-NAME-CANARY', 'PDF-SET-CANARY', 'PROJECT-CANARY', question],
      ...['marzipan lantern', lives.site.url, '"account.create"', lives.teamId],
    ]) {
      expect([own, data.includes(own)]).toEqual([own, true]);
    }
    for (const secret of [key, person.password, credential, 'other@example.org']) {
      expect([secret, data.includes(secret)]).toEqual([secret, false]);
    }
    expect(await server.status(accountDetailEndpoints.exportPersonalData, {})).toBe(401);
    expect(await server.status(accountDetailEndpoints.exportPersonalData, {}, agent)).toBe(403);

    // Backed up: the folder contains no readable credentials.
    await server.running.close();
    const backup = join(temporaryFolder(), 'backup');
    cpSync(dataFolder, backup, { recursive: true });
    const session = sender['cookie']?.split('=')[1] ?? '';
    for (const secret of [key, person.password, credential, session]) {
      expect([secret, holding(backup, secret)]).toEqual([secret, []]);
    }

    // Restored on an empty machine: searches return the same, and keys still work.
    const restored = await start(backup, environment);
    const again = await restored.ask(searchEndpoints.search, search, agent);
    expect(again.text).toBe(lives.answer.text);
    const { email, password } = person;
    expect(await restored.status(identityEndpoints.signInWithEmail, { email, password })).toBe(200);
    const { keys } = await restored.ask(keyEndpoints.listKeys, {}, sender);
    const shown = await restored.ask(keyEndpoints.revealKey, { keyId: keys[0]?.id ?? '' }, sender);
    expect(shown.secret).toBe(key);
    await restored.running.close();

    // Erased: keys and sessions end at once, and no file contains any of the person's data.
    const living = await start(dataFolder, environment);
    await deleteAccount(living, sender);
    expect(await living.status(searchEndpoints.search, search, agent)).toBe(401);
    expect(await living.status(keyEndpoints.listKeys, {}, sender)).toBe(401);
    expect(await living.status(identityEndpoints.signInWithEmail, { email, password })).toBe(401);
    const { members } = await living.ask(teamEndpoints.listTeamMembers, { teamId: lives.teamId }, lives.other);
    expect(members.map((member) => member.email)).toEqual(['other@example.org']);
    // Served segments are kept for calls in progress and then deleted: simulates that this time has passed.
    const { query: rows } = living.running.installation.base.db;
    await rows.updateTable('segments').set({ droppedAt: 0 }).where('droppedAt', 'is not', null).execute();
    await living.running.close();
    const cleared = await start(dataFolder, environment);
    const inBlobs = () => ['CANARY', 'marzipan'].flatMap((text) => holding(join(dataFolder, 'blobs'), text));
    await until('files of the person are gone', () => inBlobs().length === 0, 60_000);
    await cleared.running.close();
    for (const canary of [person.email, person.displayName, 'CANARY', 'marzipan']) {
      expect([canary, holding(dataFolder, canary)]).toEqual([canary, []]);
    }
    // Only a random id shows that the account existed.
    expect(holding(dataFolder, userId)).toEqual(['data.sqlite', 'erasures.jsonl']);

    // Restored from an earlier backup: the erasure record next to the database is applied before the first request.
    const erasures = readFileSync(join(dataFolder, 'erasures.jsonl'));
    rmSync(dataFolder, { recursive: true });
    cpSync(backup, dataFolder, { recursive: true });
    writeFileSync(join(dataFolder, 'erasures.jsonl'), erasures);
    const back = await start(dataFolder, environment);
    expect(await back.status(identityEndpoints.signInWithEmail, { email, password })).toBe(401);
    expect(await back.status(searchEndpoints.search, search, agent)).toBe(401);
    await back.running.close();
    expect(holding(dataFolder, person.email)).toEqual([]);
  }, 240_000);

  test('of an erased account stays erased with a bucket, even if the process loses its data folder', async () => {
    const s3 = await startS3();
    onTestFinished(() => s3.stop());
    const { bucket, endpoint } = s3.config;
    const access = { S3_ENDPOINT: endpoint ?? '', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' };
    const variables = { BLOB_STORE: `s3://${bucket}/index`, LECTERN_SECRET: 'ab'.repeat(32), ...access };
    const { dataFolder, environment, server, sender } = await openLives(variables);
    await server.running.close();
    const [earlier, copied] = [join(temporaryFolder(), 'data'), join(temporaryFolder(), 'data')];
    for (const folder of [earlier, copied]) cpSync(join(dataFolder, 'data.sqlite'), join(folder, 'data.sqlite'));

    // A test copy of the installation: deletions there must not delete accounts in the original.
    const { email, password } = person;
    const copy = await start(copied, environment);
    await deleteAccount(copy, sender);
    await copy.running.close();
    const living = await start(dataFolder, environment);
    expect(await living.status(identityEndpoints.signInWithEmail, { email, password })).toBe(200);
    await deleteAccount(living, sender);
    await living.running.close();

    const back = await start(earlier, environment);
    expect(await back.status(identityEndpoints.signInWithEmail, { email, password })).toBe(401);
  }, 120_000);

  test('of an account deleted while the bucket is unreachable is recorded there later, without a restart', async () => {
    const s3 = await startS3();
    onTestFinished(() => s3.stop());
    const proxy = await startCuttableProxy(Number(new URL(s3.config.endpoint ?? '').port));
    const access = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' };
    const place = { BLOB_STORE: `s3://${s3.config.bucket}/index`, S3_ENDPOINT: `http://127.0.0.1:${proxy.port}` };
    const { server, sender } = await openLives({ ...place, ...access });
    const { features, blobs, background, operatorContext } = server.running.installation;
    proxy.become('refusing');
    await deleteAccount(server, sender);
    await background.settled();
    proxy.become('open');
    expect(await blobs.list('erasures/')).toEqual([]);
    const job = features.accounts.scheduledJobs.find(({ name }) => name === 'note deleted accounts');
    await until('the deletion is noted', async () => {
      await job?.run(operatorContext(), new AbortController().signal);
      await background.settled();
      return (await blobs.list('erasures/')).length === 1;
    });
  }, 120_000);

  test('data-0016: is billed by the same cycles and days in every time zone of the server', () => {
    const before = process.env['TZ'];
    onTestFinished(() => {
      if (before === undefined) delete process.env['TZ'];
      else process.env['TZ'] = before;
    });
    const instants = [
      Date.UTC(2026, 0, 31, 23, 30),
      Date.UTC(2026, 1, 1, 0, 30),
      Date.UTC(2026, 2, 29, 1),
      Date.UTC(2026, 11, 31, 12),
    ];
    const seen = ['UTC', 'Pacific/Tongatapu', 'Pacific/Pago_Pago'].map((zone) => {
      process.env['TZ'] = zone;
      return [
        // Reported by this process, so that the time zone is known to have changed.
        { zone, offset: new Date(0).getTimezoneOffset() },
        instants.map((now) => billingCycle(Date.UTC(2025, 0, 31, 5), now)),
      ] as const;
    });
    expect(new Set(seen.map(([where]) => where.offset)).size).toBe(3);
    expect(new Set(seen.map(([, cycles]) => JSON.stringify(cycles))).size).toBe(1);
  });
});
