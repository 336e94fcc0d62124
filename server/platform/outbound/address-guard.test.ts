import { describe, expect, test } from 'vitest';
import { readSharedCases } from '#test/services/loopback-server.ts';
import { AddressGuard } from './address-guard.ts';
import { createRangeMatcher, refusalOf } from './address-ranges.ts';
import { createOutbound } from './outbound.ts';
import { OutboundError } from './outbound-error.ts';

interface UrlCase {
  id: string;
  url: string;
  expect: string;
  class?: string;
  resolvesTo?: string[] | string;
}

/** Returns the verdict on a URL through the whole client, with a resolver that records whether it was called. */
async function verdictOf(url: string, resolvesTo?: string[] | string): Promise<{ code: string; lookups: number }> {
  let lookups = 0;
  const outbound = createOutbound({
    allowHosts: [],
    userAgent: 'Test',
    limits: { connectTimeoutMs: 20 },
    resolve: async () => {
      lookups++;
      if (Array.isArray(resolvesTo)) return resolvesTo.map((address) => ({ address, family: 4 }));
      throw Object.assign(new Error('lookup'), { code: 'ENOTFOUND' });
    },
  });
  try {
    const { status } = await outbound.request(url, { timeoutMs: 50 });
    return { code: `answered ${status}`, lookups };
  } catch (error) {
    return { code: error instanceof OutboundError ? error.code : String(error), lookups };
  } finally {
    await outbound.close();
  }
}

const refusals = ['address-refused', 'bad-url'];
const literals = readSharedCases<UrlCase>('ssrf-literal');
const metadata = readSharedCases<UrlCase>('ssrf-metadata-urls');

describe.skipIf(!literals)('every address of the literal list gets the expected verdict', () => {
  const wanted = (names: string[]) => (literals ?? []).filter((one) => names.includes(one.expect));

  test('addresses to block are refused without a lookup', async () => {
    const wrong: unknown[] = [];
    for (const one of wanted(['block', 'reject'])) {
      const verdict = await verdictOf(one.url);
      const isRefused = refusals.includes(verdict.code) && verdict.lookups === 0;
      if (!isRefused) wrong.push([one.id, one.url, verdict]);
    }
    expect(wrong).toEqual([]);
  });

  test('public addresses pass the guard', () => {
    const guard = new AddressGuard([]);
    for (const one of wanted(['allow', 'allow-name'])) {
      expect(() => guard.checkUrl(new URL(one.url)), one.url).not.toThrow();
    }
  });

  test('policy cases are refused here: database ports, user names in addresses, empty labels', async () => {
    for (const one of wanted(['policy'])) {
      const verdict = await verdictOf(one.url);
      expect(refusals, one.url).toContain(verdict.code);
      expect(verdict.lookups, one.url).toBe(0);
    }
  });
});

describe.skipIf(!metadata)('cloud metadata', () => {
  test('no known spelling of a metadata address leads to a connection', async () => {
    const wrong: unknown[] = [];
    for (const one of metadata ?? []) {
      const { code } = await verdictOf(one.url, one.resolvesTo);
      if (![...refusals, 'name-not-found'].includes(code)) wrong.push([one.id, one.url, code]);
    }
    expect(wrong).toEqual([]);
  });
});

describe('the guard', () => {
  test('a host and port allowed by the operator pass, its other ports do not', () => {
    const guard = new AddressGuard(['127.0.0.1:8000', '[::1]:9000', 'docs.internal:80']);
    for (const url of [
      'http://127.0.0.1:8000/x',
      'http://2130706433:8000/',
      'http://[::1]:9000/',
      'http://docs.internal/',
    ]) {
      expect(guard.checkUrl(new URL(url)).isAllowListed).toBe(true);
    }
    for (const url of ['http://127.0.0.1/', 'http://[::1]:9001/', 'https://docs.internal/', 'http://127.0.0.2:8000/']) {
      expect(() => guard.checkUrl(new URL(url))).toThrow(OutboundError);
    }
  });

  test('an address with an API key is refused, and the refusal does not repeat the key', () => {
    const key = `lec_${'a'.repeat(38)}`;
    const guard = new AddressGuard(['docs.example:443']);
    for (const place of [`/?apiKey=${key}`, `/${key}/guide`, `/#${key}`]) {
      const check = () => guard.checkUrl(new URL(`https://docs.example${place}`));
      expect(check).toThrow(expect.objectContaining({ code: 'bad-url', url: expect.not.stringContaining(key) }));
    }
  });

  test('a refusal names the entry that would allow it', () => {
    const guard = new AddressGuard([]);
    expect(() => guard.checkUrl(new URL('http://[::1]:8080/'))).toThrow(/add \[::1\]:8080 to LECTERN_ALLOW_HOSTS/);
  });

  test.each(['127.0.0.1', 'http://x:80', 'a b:80', '', 'x:80/path', 'x:99999'])(
    '%j is not accepted as host:port',
    (entry) => {
      expect(() => new AddressGuard([entry])).toThrow(RangeError);
    },
  );

  test('policy blocks refuse public addresses and admit private ones', () => {
    const guard = new AddressGuard([], { publicRanges: ['127.0.0.2/32'], refusedRanges: ['1.1.1.0/24'] });
    expect(() => guard.checkUrl(new URL('http://127.0.0.2/'))).not.toThrow();
    expect(() => guard.checkUrl(new URL('http://127.0.0.3/'))).toThrow(/loopback/);
    expect(() => guard.checkUrl(new URL('http://1.1.1.9/'))).toThrow(/policy/);
    expect(() => new AddressGuard([], { publicRanges: ['10.0.0.0/99'] })).toThrow(RangeError);
  });
});

describe('address ranges', () => {
  test('an IPv4 address inside an IPv6 address decides its verdict', () => {
    expect(refusalOf('::ffff:10.0.0.1')).toBe('private');
    expect(refusalOf('::ffff:0a00:0001')).toBe('private');
    expect(refusalOf('::ffff:8.8.8.8')).toBeUndefined();
    expect(refusalOf('64:ff9b::a9fe:a9fe')).toBe('link-local');
    expect(refusalOf('2002:0808:0808::1')).toBeDefined();
  });

  test('text that is not an address and addresses with a zone are refused', () => {
    for (const text of ['', 'localhost', '1.2.3', '1.2.3.256', '::1::', '1::2::3', 'fe80::1%eth0', ':::', '12345::']) {
      expect(refusalOf(text), text).toBeDefined();
    }
  });

  test('a range ends exactly at its last bit', () => {
    const matches = createRangeMatcher(['100.64.0.0/10', '2001:db8::/33']);
    expect([
      matches('100.63.255.255'),
      matches('100.64.0.0'),
      matches('100.127.255.255'),
      matches('100.128.0.0'),
    ]).toEqual([false, true, true, false]);
    expect([matches('2001:db8:7fff::'), matches('2001:db8:8000::')]).toEqual([true, false]);
  });
});
