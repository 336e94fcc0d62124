import { describe, expect, test } from 'vitest';
import { OutboundError } from './outbound-error.ts';
import { nextHop, type PendingRequest } from './redirect.ts';

function hopFrom(url: string, location: string, request: Partial<PendingRequest> = {}): PendingRequest | undefined {
  const pending = { url: new URL(url), method: 'GET', headers: {}, secretHeaders: new Set<string>(), ...request };
  return nextHop(pending, { url, status: 302, headers: { location } });
}

describe('the next hop', () => {
  test('credentials are not carried from https to http, not even to the same host', () => {
    const secret = { headers: { 'x-key': 's3cret' }, secretHeaders: new Set(['x-key']) };
    expect(() => hopFrom('https://a.example/', 'http://a.example/', secret)).toThrow(OutboundError);
    expect(() => hopFrom('https://a.example/', 'http://a.example/', { headers: { cookie: 'a=b' } })).toThrow(
      /credentials/,
    );
    expect(hopFrom('https://a.example/', 'http://a.example/')?.url.href).toBe('http://a.example/');
    expect(hopFrom('http://a.example/', 'https://a.example/', secret)?.headers).toEqual({});
  });

  test('secrets are kept within the same origin', () => {
    const secret = { headers: { authorization: 's3cret', accept: 'x' } };
    expect(hopFrom('https://a.example/1', '/2', secret)?.headers).toEqual(secret.headers);
    expect(hopFrom('https://a.example/1', 'https://a.example:8443/2', secret)?.headers).toEqual({ accept: 'x' });
  });

  test('raw UTF-8 in a location is accepted, invalid locations are errors, the fragment is inherited', () => {
    const raw = Buffer.from('/ü').toString('latin1');
    expect(hopFrom('https://a.example/#part', raw)?.url.href).toBe('https://a.example/%C3%BC#part');
    expect(() => hopFrom('https://a.example/', 'http://[bad')).toThrow(/not an address/);
  });
});
