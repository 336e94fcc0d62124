import { expect, test } from 'vitest';
import { createLogger, redactSecrets } from './log.ts';

function capture(level: 'info' | 'debug' = 'info') {
  const lines: string[] = [];
  return { lines, log: createLogger(level, { write: (line) => void lines.push(line) }) };
}

test('a log line is JSON with its time, level and message', () => {
  const { lines, log } = capture();
  log.info({ pages: 3 }, 'indexed');
  log.debug('not at this level');
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 'info',
    pages: 3,
    msg: 'indexed',
    time: expect.stringContaining('T'),
  });
});

const key = `lec_${'Ab3'.repeat(12)}xy`;

test.each([
  ['an API key in a message', {}, `refused ${key}`],
  ['an access token in a message', {}, 'refused lca_abcdef123'],
  ['a key in an address', { url: `https://example.org/mcp?apiKey=abcdef123&x=1` }, 'call'],
  ['an Authorization header', { headers: { authorization: 'Bearer abcdef123', accept: 'text/html' } }, 'request'],
  ['our headers', { headers: { 'x-api-key': 'abcdef123', 'X-Lectern-Api-Key': 'abcdef123' } }, 'request'],
  ['credentials in an address', { url: 'postgres://me:abcdef123@db.example.org/x' }, 'connecting'],
  ['a header in a text', {}, 'sent "Authorization: Basic abcdef123"'],
  ['cookies', { cookie: 'session=abcdef123', 'set-cookie': ['a=abcdef123', 'b=abcdef123'] }, 'request'],
  ['cookies with brackets', { 'set-cookie': ['a=x]y"', 'b=abcdef123'] }, 'request'],
  [
    'a field with a telling name',
    { operatorToken: 'abcdef123', operator_token: 'abcdef123', password: 'abc"def123' },
    'start',
  ],
  ['a sign-in link', {}, 'open http://127.0.0.1:7331/signin?token=abcdef123'],
  ['an identity token', {}, 'refused lid_abcdef123-_x'],
  ['the code of a mail', {}, 'open http://127.0.0.1:7331/auth/action?mode=verifyEmail&oobCode=abcdef123'],
  ['the path of an invitation', {}, 'GET /accept/abcdef123-_x failed'],
  ['the path of an invitation in a parameter', {}, 'GET /login?cont=%2Faccept%2Fabcdef123 failed'],
  ['a secret of the payment provider', {}, 'refused sk_live_abcdef123 and whsec_abcdef123'],
  ['a token of the code host', {}, 'refused gho_abcdef123'],
  ['an e-mail address', { to: 'abcdef123@docs.example.org' }, 'no mailbox <abcdef123@xn--d-eka.example>'],
  ['an error', { err: new Error(`GET https://example.org/?api_key=abcdef123 failed for ${key}`) }, 'failed'],
])('%s does not reach the log', (_what, fields, message) => {
  const { lines, log } = capture();
  log.child({ again: fields }).info(fields, message);
  expect(lines[0]).not.toContain('def123');
  expect(lines[0]).not.toContain(key);
  expect(lines[0]).toContain('[redacted]');
  JSON.parse(lines[0] ?? '');
});

test('text without secrets stays unchanged', () => {
  for (const text of [
    'https://docs.python.org/3/library/secrets.html?highlight=token#secrets.token_hex',
    '{"tokens":2500,"keyId":"k1","tokenCount":5,"monkey":"x"}',
    'the token budget is 5,000 tokens',
    'lec_ is how keys start',
    'GET /docs/accept and /sign-in?cont=%2Fkeys',
  ]) {
    expect(redactSecrets(text)).toBe(text);
  }
});

test('a long text is searched in time proportional to its length', () => {
  const text = `GET /${'A'.repeat(1_000_000)}@ of https://me:abc@docs.example`;
  expect(redactSecrets(text)).toBe(text.replace('me:abc', '[redacted]'));
});
