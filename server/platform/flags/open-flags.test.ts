import { expect, test } from 'vitest';
import { serveSite } from '#test/cli/run-cli.ts';
import { silentLog } from '#test/services/log.ts';
import { withBody } from '#test/services/request-body.ts';
import { createOutbound } from '../outbound/index.ts';
import { type FlagsConfig, openFlags } from './open-flags.ts';

const person = { userId: 'u1', email: 'ada@example.org' };

function open(config: FlagsConfig, allowHosts: string[] = []) {
  const outbound = createOutbound({ allowHosts, userAgent: 'test' });
  return openFlags(config, { outbound, log: silentLog, environment: 'production' });
}

test('a flag is on if the environment names it, otherwise off', async () => {
  const on = await open({ kind: 'environment', on: ['teams'] });
  const off = await open({ kind: 'environment', on: ['other'] });
  expect(await on.isOn('teams', person)).toBe(true);
  expect(await off.isOn('teams', undefined)).toBe(false);
  expect([on.isConnected(), off.isConnected()]).toEqual([true, true]);
});

test('a flag service is queried for the user, with its key', async () => {
  const asked: unknown[] = [];
  const { origin, host } = await serveSite((request, response) =>
    withBody(request, (body) => {
      const { authorization } = request.headers;
      asked.push({ path: request.url, authorization, body: JSON.parse(body) });
      response.end(JSON.stringify({ key: 'teams', value: true, reason: 'TARGETING_MATCH' }));
    }),
  );
  const flags = await open({ kind: 'remote', url: origin, key: 'flag-key' }, [host]);
  expect(await flags.isOn('teams', person)).toBe(true);
  expect(asked).toEqual([
    {
      path: '/ofrep/v1/evaluate/flags/teams',
      authorization: 'Bearer flag-key',
      body: { context: { targetingKey: 'u1', email: 'ada@example.org' } },
    },
  ]);
});

test.each([
  ['answers with a fault', 500, '{}'],
  ['answers with words', 200, 'no JSON'],
  ['answers with another kind of value', 200, '{"value":"on"}'],
])('a flag is off and reported as unread if the service %s', async (_how, status, body) => {
  const { origin, host } = await serveSite((_request, response) => response.writeHead(status).end(body));
  const flags = await open({ kind: 'remote', url: origin, key: undefined }, [host]);
  expect(await flags.isOn('teams', person)).toBe(false);
  expect(flags.isConnected()).toBe(false);
});

test('a flag is off if the service is unreachable', async () => {
  const flags = await open({ kind: 'remote', url: 'http://127.0.0.1:9', key: undefined }, ['127.0.0.1:9']);
  expect(await flags.isOn('teams', undefined)).toBe(false);
});
