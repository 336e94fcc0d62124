import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { keyEndpoints } from '#contract/keys.ts';
import { libraryEndpoints } from '#contract/library.ts';
import type { Context } from '#server/context.ts';
import { verifyApiKey } from '#server/features/keys/api-keys.ts';
import { isWellFormedApiKey, newApiKey } from '#server/features/keys/key-format.ts';
import { systemClock } from '#server/platform/clock.ts';
import { openHttpRig } from '../http/http-rig.ts';
import { attacksOf } from '../services/attacks.ts';
import { silentLog } from '../services/log.ts';

interface KeyCase {
  id: string;
  class: 'valid-shape' | 'bad-checksum' | 'bad-shape' | 'behaviour';
  case: string;
}

const cases = attacksOf<KeyCase>('api-keys.jsonl').filter((one) => one.class !== 'behaviour');
// The list's checksum only illustrates the format: its keys are tried unchanged and with our prefix.
const tried = cases.flatMap((one) => [
  one,
  { ...one, id: `${one.id} as ours`, case: one.case.replace('PFX_', 'lec_') },
]);

describe.skipIf(cases.length === 0)('keys in another form', () => {
  test.each(tried)('$id is refused without a lookup', async ({ case: secret }) => {
    const db = new Proxy({} as Context['db'], {
      get: () => {
        throw new Error('the database was asked');
      },
    });
    expect(isWellFormedApiKey(secret)).toBe(false);
    const refused = verifyApiKey({ db, clock: systemClock, log: silentLog }, secret, 'https://docs.example');
    await expect(refused).rejects.toMatchObject({ code: 'key-refused' });
  });
});

test('keys do not repeat, and every character is equally likely', () => {
  const count = 200_000;
  const seen = new Set<string>();
  const tallies = new Map<string, number>();
  for (let at = 0; at < count; at += 1) {
    const key = newApiKey();
    seen.add(key);
    for (const character of key.slice(4, 36)) tallies.set(character, (tallies.get(character) ?? 0) + 1);
  }
  expect(seen.size).toBe(count);
  expect(tallies.size).toBe(62);
  const expected = (count * 32) / 62;
  const chiSquare = [...tallies.values()].reduce((sum, tally) => sum + (tally - expected) ** 2 / expected, 0);
  // With 61 degrees of freedom, a fair source exceeds this once in 100,000 runs.
  expect(chiSquare).toBeLessThan(118.6);
});

test('unknown, revoked and mistyped keys get the same response', async () => {
  const rig = await openHttpRig();
  const { keyId, secret } = await rig.createKey();
  await rig.ask(keyEndpoints.revokeKey, { keyId });
  const refusals = await Promise.all(
    [secret, newApiKey(), `${secret.slice(0, -1)}_`, 'x'].map(async (bearer) => {
      const refusal = await rig.refusal(libraryEndpoints.listModules, {}, { authorization: `Bearer ${bearer}` });
      return { ...refusal, requestId: '' };
    }),
  );
  expect(new Set(refusals.map((refusal) => JSON.stringify(refusal))).size).toBe(1);
  expect(refusals[0]).toMatchObject({ status: 401, code: 'key-refused' });
});

test('a key is returned in full when it is created or revealed, and is not cached', async () => {
  const rig = await openHttpRig();
  const session = await rig.signIn();
  const { keyId, secret } = await rig.createKey();
  const list = await rig.send('/api/keys', { headers: session });
  expect(await list.text()).not.toContain(secret);
  const reveal = await rig.send(`/api/keys/${keyId}/reveal`, { method: 'POST', headers: session });
  expect(reveal.headers.get('cache-control')).toBe('no-store');
  expect(await reveal.json()).toEqual({ secret });
  const forged = await rig.send(`/api/keys/${keyId}/reveal`, {
    method: 'POST',
    headers: { cookie: session['cookie'] ?? '' },
  });
  expect(forged.status).toBe(403);
  for (const file of ['data.sqlite', 'data.sqlite-wal']) {
    const bytes = readFileSync(join(rig.dataFolder, file), 'latin1');
    for (let at = 4; at + 20 <= secret.length; at += 1) expect(bytes).not.toContain(secret.slice(at, at + 20));
  }
});

test('a key revoked in the middle of an MCP session is refused at the next call', async () => {
  const rig = await openHttpRig();
  const { keyId, sender } = await rig.createKey();
  const post = (body: object, headers: Record<string, string> = {}) =>
    rig.send('/mcp', {
      method: 'POST',
      headers: {
        ...{ ...sender, ...headers },
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
    });
  const opened = await post({
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  });
  const headers = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  expect((await post({ method: 'tools/list' }, headers)).status).toBe(200);
  await rig.ask(keyEndpoints.revokeKey, { keyId });
  const refused = await post({ method: 'tools/list' }, headers);
  expect(refused.status).toBe(401);
  expect(await refused.text()).toContain('not accepted');
});
