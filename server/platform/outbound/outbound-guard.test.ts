import { afterEach, describe, expect, test } from 'vitest';
import {
  type Listener,
  type LoopbackServer,
  readSharedCases,
  startWithCanaries,
} from '#test/services/loopback-server.ts';
import { AddressGuard } from './address-guard.ts';
import type { ResolvedAddress } from './checked-lookup.ts';
import { createGuardedConnector } from './guarded-agent.ts';
import { createOutbound, type Outbound } from './outbound.ts';
import { OutboundError } from './outbound-error.ts';

// Of all loopback addresses only 127.0.0.2 counts as public here; the canaries on the others must never be reached.
const publicAddress = '127.0.0.2';
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

interface Rig {
  server: LoopbackServer;
  canaries: LoopbackServer[];
  canaryCount: () => number;
}

/** The public origin on 127.0.0.2 and canaries on the same port of the addresses around it. */
async function rig(listener: Listener): Promise<Rig> {
  const { server, canaries } = await startWithCanaries(listener, publicAddress, ['127.0.0.1', '127.0.0.3', '::1']);
  for (const one of [server, ...canaries]) cleanups.push(() => one.close());
  return { server, canaries, canaryCount: () => canaries.reduce((sum, one) => sum + one.connectionCount, 0) };
}

type Answer = string[] | string;

/** Opens a client whose lookups return the listed answers in turn, then repeat the last one. */
function open(lookups: Answer[]): { outbound: Outbound; asked: string[] } {
  const asked: string[] = [];
  const outbound = createOutbound({
    allowHosts: [],
    userAgent: 'Test/1',
    policy: { publicRanges: [`${publicAddress}/32`] },
    limits: { connectTimeoutMs: 300, timeoutMs: 3_000 },
    resolve: async (hostname) => {
      const answer = lookups[Math.min(asked.length, lookups.length - 1)] ?? [];
      asked.push(hostname);
      if (answer === 'TIMEOUT') return new Promise<ResolvedAddress[]>(() => {});
      if (typeof answer === 'string') throw Object.assign(new Error(answer), { code: answer });
      return answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    },
  });
  cleanups.push(() => outbound.close());
  return { outbound, asked };
}

async function outcomeOf(outbound: Outbound, url: string): Promise<string> {
  try {
    return `answered ${(await outbound.request(url)).status}`;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return error.code;
  }
}

interface DnsCase {
  id: string;
  class: string;
  url: string;
  lookups: Answer[];
  expect: string;
  firstConnect?: string;
}

const dnsCases = readSharedCases<DnsCase>('ssrf-dns');

describe.skipIf(!dnsCases)('names', () => {
  test.each(dnsCases ?? [])('$id $class: the connection goes to the checked address', async (one) => {
    let answered = 0;
    const { server, canaryCount } = await rig((request, response) => {
      answered++;
      if (one.firstConnect === 'reset' && answered === 1) request.socket.destroy();
      else response.setHeader('connection', 'close').end('ok');
    });
    // The documentation's public address must be reachable here, so 127.0.0.2 stands in for it.
    const lookups = one.lookups.map((answer) =>
      Array.isArray(answer) ? answer.map((address) => address.replace('93.184.215.14', publicAddress)) : answer,
    );
    const { outbound } = open(lookups);
    const url = new URL(one.url);
    url.port = String(server.port);
    const outcomes: string[] = [];
    for (let i = 0; i < Math.max(2, lookups.length); i++) outcomes.push(await outcomeOf(outbound, url.href));

    expect(canaryCount()).toBe(0);
    const first = outcomes[0];
    switch (one.expect) {
      case 'allow':
      case 'allow-after-retry':
        expect(first).toBe('answered 200');
        break;
      case 'block':
      case 'block-or-connect-only-public':
        expect(outcomes).toEqual(outcomes.map(() => 'address-refused'));
        break;
      case 'fail-with-reason':
        expect(['name-not-found', 'timeout']).toContain(first);
        break;
      case 'connect-only-first-or-block':
        expect(outcomes).toEqual(['answered 200', 'address-refused']);
        break;
      case 'never-connect-private':
        expect(outcomes.at(-1)).toBe('address-refused');
        break;
      default:
        expect.unreachable(`unknown expectation ${one.expect}`);
    }
  });

  test('a kept connection needs no second lookup; a new one is checked again', async () => {
    const { server, canaryCount } = await rig((request, response) => {
      if (request.url === '/close') response.setHeader('connection', 'close');
      response.end('ok');
    });
    const { outbound, asked } = open([[publicAddress], ['127.0.0.1']]);
    const base = `http://docs.example.com:${server.port}`;
    expect(await outcomeOf(outbound, `${base}/`)).toBe('answered 200');
    // The connection becomes free a turn after its response is complete.
    await new Promise(setImmediate);
    expect(await outcomeOf(outbound, `${base}/close`)).toBe('answered 200');
    expect(asked.length).toBe(1);
    expect(await outcomeOf(outbound, `${base}/`)).toBe('address-refused');
    expect(canaryCount()).toBe(0);
  });
});

test('the connector itself refuses private literal addresses', async () => {
  const { server, canaryCount } = await rig((_, response) => response.end());
  const guard = new AddressGuard([], { publicRanges: [`${publicAddress}/32`] });
  for (const [origin, hostname] of [
    [`http://127.0.0.1:${server.port}`, '127.0.0.1'],
    [`http://[::1]:${server.port}`, '[::1]'],
  ] as const) {
    const connect = createGuardedConnector(origin, guard, () => Promise.reject(new Error('not asked')), 500);
    const outcome = Promise.withResolvers<unknown>();
    connect({ hostname, protocol: 'http:', port: String(server.port) }, (...result) => outcome.resolve(result[0]));
    expect(await outcome.promise).toMatchObject({ code: 'address-refused' });
  }
  expect(canaryCount()).toBe(0);
});

interface RedirectCase {
  id: string;
  class: string;
  chain: { status: number; location: string; kind?: string }[];
  expect: string;
  maxRequests?: number;
}

const redirectCases = readSharedCases<RedirectCase>('ssrf-redirect-and-references')?.filter(
  ({ chain }) => chain[0]?.location !== undefined && chain[0].kind === undefined,
);

describe.skipIf(!redirectCases)('redirects', () => {
  test.each(redirectCases ?? [])('$id $class: each hop is checked again', async (one) => {
    const seenCredentials: unknown[] = [];
    const hops = [...one.chain];
    const { server, canaryCount } = await rig((request, response) => {
      seenCredentials.push(request.headers.authorization);
      const fill = (text: string) =>
        text
          .replace('{canary}', String(server.port))
          .replace('{public2}', `second.example.com:${server.port}`)
          .replace('{self}', '/start');
      const hop = one.class === 'loop-self' ? hops[0] : hops.shift();
      if (!hop || request.url === '/ok') response.end('ok');
      else response.writeHead(hop.status, { location: Buffer.from(fill(hop.location)).toString('latin1') }).end();
    });
    const { outbound } = open([[publicAddress]]);
    const outcome = await outbound
      .request(`http://first.example.com:${server.port}/start`, { credentials: { authorization: 'Bearer s3cret' } })
      .then(
        ({ status }) => `answered ${status}`,
        (error: unknown) => (error as OutboundError).code,
      );

    expect(canaryCount()).toBe(0);
    if (one.maxRequests) expect(server.requests.length).toBeLessThanOrEqual(one.maxRequests);
    if (one.expect === 'block') expect(['address-refused', 'bad-url']).toContain(outcome);
    if (one.expect === 'canary-untouched') expect(outcome).toBe('address-refused');
    if (one.expect === 'fail-with-reason') expect(['bad-url', 'redirect-loop']).toContain(outcome);
    if (one.expect === 'allow') expect(outcome).toBe('answered 200');
    if (one.expect === 'no-credentials-forwarded') expect(seenCredentials).toEqual(['Bearer s3cret', undefined]);
  });
});
