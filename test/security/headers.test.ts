import { describe, expect, test } from 'vitest';
import { accountEndpoints } from '#contract/accounts.ts';
import { openHttpRig, rawRequest } from '../http/http-rig.ts';
import { attacksOf } from '../services/attacks.ts';

interface HeaderCase {
  id: string;
  class: 'html' | 'api-and-static';
  case: string;
}

const cases = attacksOf<HeaderCase>('headers-and-http.jsonl');
const pages = cases.filter((one) => one.class === 'html');

describe.skipIf(cases.length === 0)('headers', () => {
  test.each(pages)('$id: $case', async ({ case: path }) => {
    const rig = await openHttpRig({ LECTERN_PUBLIC_URL: 'https://docs.example' });
    const { headers } = await rig.send(path);
    const header = (name: string) => headers.get(name) ?? '';
    expect(header('x-content-type-options')).toBe('nosniff');
    expect(header('referrer-policy')).toMatch(/^(same-origin|no-referrer|strict-origin-when-cross-origin)$/);
    expect(header('permissions-policy')).not.toBe('');
    // Sign-in popups need `allow-popups`; docs/decisions explains why it applies to every page.
    expect(header('cross-origin-opener-policy')).toBe('same-origin-allow-popups');
    expect(Number(/max-age=(\d+)/.exec(header('strict-transport-security'))?.[1])).toBeGreaterThanOrEqual(31_536_000);
    if (!header('content-type').startsWith('text/html')) return;
    const policy = Object.fromEntries(
      header('content-security-policy')
        .split('; ')
        .map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1)]),
    );
    expect(policy['script-src']).not.toContain("'unsafe-inline'");
    expect(policy['script-src']).not.toContain("'unsafe-eval'");
    for (const name of ['object-src', 'base-uri', 'frame-ancestors']) expect(policy[name]).toEqual(["'none'"]);
    expect(policy['form-action']).toEqual(["'self'"]);
    expect(policy['img-src']).toEqual(["'self'", 'data:']);
  });

  test('API responses are UTF-8 JSON that is not cached, and do not reveal the server software', async () => {
    const rig = await openHttpRig();
    for (const path of ['/api/session', '/api/nothing', '/api/keys', '/callable/none']) {
      const answer = await rig.send(path, { method: path.startsWith('/callable') ? 'POST' : 'GET' });
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('x-powered-by')).toBeNull();
      expect(await answer.text()).not.toMatch(/\n\s+at |node_modules/);
    }
  });

  test('no response to an agent may be cached, whichever way it sends its key', async () => {
    const rig = await openHttpRig();
    const { secret } = await rig.createKey();
    const paths = [
      '/search_documentation?query=x',
      '/read?url=https://x.example',
      '/v2/context?query=x&libraryId=/x/x',
    ];
    for (const path of [...paths, '/v2/libs/search?query=x&libraryName=x', '/mcp', '/oauth/authorize?client_id=x']) {
      for (const headers of [{}, { 'x-api-key': secret }]) {
        const answer = await rig.send(path, { headers });
        expect([path, answer.headers.get('cache-control')]).toEqual([path, 'no-store']);
      }
    }
  });

  test('another site gets no CORS permission for private responses', async () => {
    const rig = await openHttpRig();
    for (const path of ['/api/session', '/api/identity/sign-in', '/callable/environment']) {
      const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
      const answer = await rig.send(path, { method: 'OPTIONS', headers });
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  test('a request with two lengths is refused and its connection closed', async () => {
    const rig = await openHttpRig();
    const headers = { 'content-length': '2', 'transfer-encoding': 'chunked' };
    const answer = rawRequest(rig.port, { path: '/api/session', method: 'POST', headers, body: ['{}'] });
    const status = await answer.then(
      (told) => told.status,
      () => 'closed',
    );
    expect([400, 'closed']).toContain(status);
  });

  test('field names with a meaning in JavaScript change nothing', async () => {
    const rig = await openHttpRig();
    const body = '{"code":"x","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    await rig.send(accountEndpoints.redeemSignInLink.path, { method: 'POST', body });
    await rig.send('/callable/environment', { method: 'POST', body: `{"data":${body}}` });
    expect({}).not.toHaveProperty('polluted');
  });

  test('header-0011, header-0014, header-0015: unusual methods, repeated parameters and unusual paths get one plain response', async () => {
    const rig = await openHttpRig();
    for (const method of ['TRACE', 'CONNECT', 'PUT']) {
      const told = await rawRequest(rig.port, { path: '/', method }).then(
        ({ status }) => status,
        () => 'closed',
      );
      expect([method, [404, 405, 'closed'].includes(told)]).toEqual([method, true]);
    }
    for (const path of ['/api/modules', '/api/jobs', '/api/credits/transactions']) {
      const both = await rig.send(`${path}?teamId=a&teamId=b&limit=1&limit=2`, { headers: rig.operator });
      expect([path, both.status === 400 || both.status === 200]).toEqual([path, true]);
    }
    for (const path of [
      '/%2e%2e/%2e%2e/etc/passwd',
      '//etc/passwd',
      '/a%00b',
      '/assets/..;/x',
      '/assets/%2e%2e/%2e%2e/package.json',
    ]) {
      const told = await rawRequest(rig.port, { path });
      expect([path, [301, 308, 400, 404].includes(told.status)]).toEqual([path, true]);
      expect([path, /root:|"dependencies"/.test(told.text)]).toEqual([path, false]);
    }
  });

  test('header-0016: installation settings in a page cannot close its script element', async () => {
    const rig = await openHttpRig({ PRODUCT_NAME: 'A</script><script>alert(1)</script>\u2028' });
    for (const path of ['/', '/login', '/api/site', '/chat']) {
      const answer = await rig.send(path);
      const text = await answer.text();
      if (!(answer.headers.get('content-type') ?? '').startsWith('text/html')) continue;
      expect([path, text.includes('</script><script>alert(1)')]).toEqual([path, false]);
    }
  });
});
