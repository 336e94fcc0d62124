import { expect, test } from 'vitest';
import { loadConfig } from '#server/platform/config/config.ts';
import { cheapCost } from '#test/services/sample-identity.ts';
import { createPasswords, requireNewPassword, scryptCost } from './passwords.ts';

const passwords = createPasswords(cheapCost);
const network = '192.0.2.7';

test.each([
  ['more than 72 bytes', `${'x'.repeat(80)}a`, `${'x'.repeat(80)}b`],
  ['what follows a NUL', 'abc\u0000def', 'abc\u0000xyz'],
  ['spaces', ' correct horse ', 'correct horse'],
  ['emoji', '🐎🔋🐎🔋🐎🔋', '🐎🔋🐎🔋🐎🐎'],
  ['letter case', 'Correct horse', 'correct horse'],
])('every character of a password counts: %s', async (_, password, other) => {
  const stored = await passwords.hash(password, network);
  expect(await passwords.isRight(password, stored, network)).toBe(true);
  expect(await passwords.isRight(other, stored, network)).toBe(false);
});

test('letters match however the keyboard composes them', async () => {
  const stored = await passwords.hash('p\u00e4ssword', network);
  expect(await passwords.isRight('pa\u0308ssword', stored, network)).toBe(true);
});

test('two hashes of one password differ, and no password matches an absent hash', async () => {
  const hash = () => passwords.hash('correct horse', network);
  expect(await hash()).not.toBe(await hash());
  expect(await passwords.isRight('', undefined, network)).toBe(false);
});

test('six characters suffice, however many bytes they take', () => {
  expect(() => requireNewPassword('12345')).toThrow('Password must be at least 6 characters long');
  expect(() => requireNewPassword('🐎🐎🐎🐎🐎')).toThrow('at least 6');
  for (const password of ['123456', '      ', '🐎🐎🐎🐎🐎🐎']) expect(() => requireNewPassword(password)).not.toThrow();
});

test('the cost settings are among those OWASP recommends and are stored with the hash', async () => {
  const cost = scryptCost(loadConfig({}).config.passwordCost);
  expect([
    [2 ** 17, 8, 1],
    [2 ** 16, 8, 2],
    [2 ** 15, 8, 3],
    [2 ** 14, 8, 5],
    [2 ** 13, 8, 10],
  ]).toContainEqual([cost.n, cost.blockSize, cost.passes]);
  const real = createPasswords(cost);
  expect(await real.hash('correct horse', network)).toMatch(/^scrypt\$n=32768,r=8,p=3\$[\w-]{22}\$[\w-]{43}$/);
});

const slowCost = { n: 2 ** 12, blockSize: 8, passes: 1 };

test('attempts are refused when too many are waiting', async () => {
  const slow = createPasswords(slowCost);
  const hash = (_: unknown, at: number) => slow.hash('correct horse', `192.0.2.${at}`);
  const outcomes = await Promise.allSettled(Array.from({ length: 80 }, hash));
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  expect(refused).toHaveLength(80 - 66);
  for (const { reason } of refused) expect(reason).toMatchObject({ code: 'too-many-requests' });
  await expect(slow.hash('correct horse', network)).resolves.toBeDefined();
});

test.each([
  ['a network', () => '198.51.100.7'],
  ['a network of many addresses', (at: number) => `2001:db8::${at.toString(16)}`],
])('%s that signs in endlessly delays others only briefly and locks no one out', async (_, addressOf) => {
  const slow = createPasswords(slowCost);
  let done = 0;
  const flood = Array.from({ length: 80 }, (__, at) =>
    slow.hash('correct horse', addressOf(at)).then(() => {
      done += 1;
    }),
  );
  const settled = Promise.allSettled(flood);
  await slow.hash('correct horse', network);
  // Two hashes were in progress and one more got a turn; a slow thread may allow a few more. In order of arrival, all
  // 18 would have finished first.
  expect(done).toBeLessThan(9);
  expect((await settled).filter(({ status }) => status === 'fulfilled')).toHaveLength(2 + 16);
});
