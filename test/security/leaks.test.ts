import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { identityEndpoints } from '#contract/identity.ts';
import { siteEndpoints } from '#contract/site.ts';
import { cli, serveSite } from '../cli/run-cli.ts';
import { newDataFolder, startServerProcess } from '../library/server-process.ts';
import { attacksOf } from '../services/attacks.ts';
import { withBody } from '../services/request-body.ts';
import { until } from '../services/until.ts';

interface LeakCase {
  id: string;
  class: string;
  case: string;
  canary?: string;
}

/** Account data: these canaries are sent in its place. */
const handled =
  /^(password|session cookie|reset code|verification code|email|full name|IP address) in (application log|HTTP error body)$/;
const all = attacksOf<LeakCase>('leaks.jsonl');
const cases = all.filter((one) => handled.test(one.case));

const writings = (canary: string) => [
  canary,
  Buffer.from(canary).toString('base64').replace(/=+$/, ''),
  encodeURIComponent(canary),
  [...canary].reverse().join(''),
];

describe.skipIf(cases.length === 0)('a user’s personal data', () => {
  test('is in no log line and no error response', async () => {
    const canaryOf = (what: string) =>
      cases.find((one) => one.case.startsWith(`${what} in`))?.canary ?? `${what}-canary`;
    const [password, email, name] = [canaryOf('password'), canaryOf('email'), canaryOf('full name')];
    const server = await startServerProcess(newDataFolder(), '127.0.0.1:9', {
      LOG_LEVEL: 'trace',
      // No server listens there: every mail fails, and the failure is logged.
      SMTP_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'sample@docs.example',
    });
    onTestFinished(() => server.kill());
    const refusals: string[] = [];
    const ask = async (path: string, input: unknown) => {
      const headers = {
        cookie: `lectern_session=${canaryOf('session cookie')}`,
        'x-lectern-csrf': '1',
        'x-forwarded-for': canaryOf('IP address'),
      };
      const response = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(input) });
      const text = await response.text();
      if (!response.ok) refusals.push(text);
      return response.status;
    };
    const oobCode = canaryOf('verification code');
    expect(await ask(identityEndpoints.signUpWithEmail.path, { email, password, displayName: name })).toBe(200);
    expect(await ask(identityEndpoints.signUpWithEmail.path, { email, password, displayName: name })).toBe(409);
    expect(await ask(identityEndpoints.signInWithEmail.path, { email, password: `${password}x` })).toBe(401);
    expect(await ask(identityEndpoints.signInWithEmail.path, { email, password: [password] })).toBe(400);
    expect(await ask(identityEndpoints.sendPasswordReset.path, { email })).toBe(200);
    expect(await ask(identityEndpoints.applyVerificationCode.path, { oobCode })).toBe(400);
    expect(await ask(identityEndpoints.confirmReset.path, { oobCode, newPassword: password })).toBe(400);
    expect(await ask('/callable/deleteUserCallable', { data: { password } })).toBe(401);
    await until('a failed mail is in the log', () => /an email was not accepted/.test(server.output()));
    expect(refusals).toHaveLength(6);
    const told = server.errors() + server.output() + refusals.join('\n');
    const leaked = cases.filter(({ canary = '' }) => writings(canary).some((writing) => told.includes(writing)));
    expect(leaked).toEqual([]);
  });
});

/** Each canary is used in place of the real secret. */
describe.skipIf(all.length === 0)('a configured secret', () => {
  const withCanary = all.flatMap(({ canary, ...one }) => (canary === undefined ? [] : [{ ...one, canary }]));
  const leakedIn = (told: string) =>
    withCanary.filter(({ canary }) => writings(canary).some((writing) => told.includes(writing))).map(({ id }) => id);
  const canaryOf = (what: string) => withCanary.find((one) => one.case.startsWith(`${what} in`))?.canary ?? '';

  test('is in no log, response or report of the server that uses it', async () => {
    const reports: string[] = [];
    const service = await serveSite((request, response) =>
      withBody(request, (body) => {
        reports.push(body);
        response.writeHead(200).end('{}');
      }),
    );
    const encryptionKey = Buffer.from('CANARY encryption key, 32 bytes.').toString('hex');
    const server = await startServerProcess(newDataFolder(), `127.0.0.1:9,${service.host}`, {
      LOG_LEVEL: 'trace',
      SENTRY_DSN: `http://public@${service.host}/7`,
      LECTERN_SECRET: encryptionKey,
      STRIPE_SECRET_KEY: canaryOf('payment secret'),
      STRIPE_WEBHOOK_SECRET: canaryOf('webhook secret'),
      STRIPE_URL: 'http://127.0.0.1:9',
      GITHUB_CLIENT_ID: 'client',
      GITHUB_CLIENT_SECRET: canaryOf('code-host token'),
      ...{ STRIPE_PRICE_BASIC: 'price_1', STRIPE_PRICE_PRO: 'price_2', STRIPE_PRICE_CREDITS: 'price_3' },
    });
    onTestFinished(() => server.kill());
    const refusals: string[] = [];
    const ask = async (path: string, init: RequestInit = {}) => {
      const response = await fetch(server.url + path, { redirect: 'manual', ...init });
      const text = await response.text();
      if (!response.ok) refusals.push(text);
    };
    const post = (path: string, input: unknown, headers: Record<string, string> = {}) =>
      ask(path, { method: 'POST', body: JSON.stringify(input), headers: { 'x-lectern-csrf': '1', ...headers } });
    const bearer = { authorization: `Bearer ${canaryOf('api key')}` };
    const question = encodeURIComponent(canaryOf('search query text'));
    await ask(`/api/search?query=${question}`, { headers: bearer });
    await ask(`/api/search?query=${question}&budget=none`);
    await ask(`/api/read?url=${encodeURIComponent('http://127.0.0.1:9/')}&query=${question}`);
    await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, bearer);
    await post('/api/invites/describe', { token: canaryOf('invitation token') });
    await post('/admin/teams/accept-invite', { token: canaryOf('invitation token') });
    await post(
      '/webhooks/stripe',
      { card: { last4: canaryOf('card last four') } },
      { 'stripe-signature': canaryOf('webhook secret') },
    );
    await post('/webhooks/github', { token: canaryOf('code-host token') }, { 'x-hub-signature-256': 'sha256=00' });
    const details = [canaryOf('email'), canaryOf('card last four'), canaryOf('code-host token')].join(' ');
    await post('/api/source-credentials', {
      url: 'http://127.0.0.1:9',
      secret: {
        kind: 'header',
        name: 'authorization',
        value: canaryOf('Authorization header of a crawled private source'),
      },
    });
    await post('/api/jobs', {
      source: `http://user:${canaryOf('password').replace('&', '')}@127.0.0.1:9/`,
      displayName: details,
    });
    await ask('/auth/social/callback?code=x&state=y');
    for (const text of [canaryOf('payment secret'), `?oobCode=${canaryOf('reset code')}`, canaryOf('email')]) {
      await post(siteEndpoints.reportBrowserError.path, {
        name: 'TypeError',
        message: `no ${text}`,
        stack: '',
        path: '/keys',
      });
    }
    await until('the reports have been sent', () => reports.length >= 3);
    expect(leakedIn(await (await fetch(`${server.url}/metrics`)).text())).toEqual([]);
    expect(refusals.length).toBeGreaterThan(8);
    expect(leakedIn(server.errors() + server.output())).toEqual([]);
    expect(leakedIn(refusals.join('\n'))).toEqual([]);
    // Errors reported by pages are sent without recognizable secrets and addresses.
    expect(leakedIn(reports.join('\n'))).toEqual([]);
    for (const told of [server.errors() + server.output(), refusals.join(), reports.join()]) {
      expect(told).not.toContain(encryptionKey);
    }
    // No debugging endpoint is reachable.
    for (const path of [
      '/debug',
      '/debug/pprof',
      '/heapdump',
      '/json/list',
      '/metrics',
      '/.env',
      '/api/debug',
      '/server.js.map',
    ]) {
      // Like a stranger's request: metrics are only for this machine.
      const answer = await fetch(server.url + path, { headers: { 'x-forwarded-for': '203.0.113.9' } });
      expect([path, answer.status]).toEqual([path, 404]);
    }
  }, 120_000);

  test('the URL of an unreachable database is reported without its password', async () => {
    const { code, output, errors } = await cli(['start', '--data', newDataFolder()], {
      env: { DATABASE_URL: canaryOf('database URL').replace('127.0.0.1', '127.0.0.1:9'), LOG_LEVEL: 'trace' },
    });
    expect(code).not.toBe(0);
    expect(output + errors).not.toContain('CANARYpw');
    expect(output + errors).toContain('127.0.0.1');
  }, 60_000);

  test('the built pages contain no source maps and no environment variables', () => {
    const folder = join(import.meta.dirname, '../../dist/web');
    if (!existsSync(folder)) return;
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    expect(files.filter((name) => name.endsWith('.map'))).toEqual([]);
    for (const name of files.filter((file) => file.endsWith('.js'))) {
      const text = readFileSync(join(folder, name), 'utf8');
      expect([name, /(STRIPE_SECRET_KEY|LECTERN_SECRET|DATABASE_URL)\W{1,3}[:=]|sourceMappingURL=/.test(text)]).toEqual(
        [name, false],
      );
    }
  });
});
