import { describe, expect, onTestFinished, test } from 'vitest';
import { identityEndpoints } from '#contract/identity.ts';
import { newDataFolder, startServerProcess } from '../library/server-process.ts';
import { attacksOf } from '../services/attacks.ts';
import { until } from '../services/until.ts';

interface LeakCase {
  id: string;
  class: string;
  case: string;
  canary?: string;
}

/** What accounts handle: these canaries are sent where the real thing belongs. */
const handled =
  /^(password|session cookie|reset code|verification code|email|full name|IP address) in (application log|HTTP error body)$/;
const cases = attacksOf<LeakCase>('leaks.jsonl').filter((one) => handled.test(one.case));

const writings = (canary: string) => [
  canary,
  Buffer.from(canary).toString('base64').replace(/=+$/, ''),
  encodeURIComponent(canary),
  [...canary].reverse().join(''),
];

describe.skipIf(cases.length === 0)('what people entrust to an account', () => {
  test('is in no line of the log and no answer that refuses', async () => {
    const canaryOf = (what: string) =>
      cases.find((one) => one.case.startsWith(`${what} in`))?.canary ?? `${what}-canary`;
    const [password, email, name] = [canaryOf('password'), canaryOf('email'), canaryOf('full name')];
    const server = await startServerProcess(newDataFolder(), '127.0.0.1:9', {
      LOG_LEVEL: 'trace',
      // Nobody listens there: every mail fails, and the failure is logged.
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
    await until('a failed mail is in the log', () => /mail failed/.test(server.errors()));
    expect(refusals).toHaveLength(6);
    const told = server.errors() + server.output() + refusals.join('\n');
    const leaked = cases.filter(({ canary = '' }) => writings(canary).some((writing) => told.includes(writing)));
    expect(leaked).toEqual([]);
  });
});
