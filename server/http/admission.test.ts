import { expect, test } from 'vitest';
import { Admission, KnownCallers, knownOfOneMax, underWayOfOneMax, underWayOfUnknownMax } from './admission.ts';

interface Asked {
  outcome: string;
  end(): void;
}

/** Sends a number of calls whose work lasts until it is ended. */
async function askMany(
  admission: Admission,
  caller: string | ((index: number) => string),
  count: number,
  network?: string,
): Promise<Asked[]> {
  const asked = Array.from({ length: count }, (_, index) => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const one: Asked = { outcome: 'running', end: () => resolve(undefined) };
    admission
      .run(
        typeof caller === 'string' ? caller : caller(index),
        () => {
          one.outcome = 'let in';
          return promise;
        },
        network,
      )
      .catch((error: { code: string; retryAfterSeconds: number }) => {
        one.outcome = `${error.code} ${error.retryAfterSeconds}`;
      });
    return one;
  });
  await new Promise((resolve) => setImmediate(resolve));
  return asked;
}

const countOf = (asked: Asked[], outcome: string) => asked.filter((one) => one.outcome === outcome).length;

test('a caller with too many requests in progress must retry, others are admitted', async () => {
  const admission = new Admission();
  const flood = await askMany(admission, 'flood', underWayOfOneMax + 10);
  expect(countOf(flood, 'let in')).toBe(underWayOfOneMax);
  expect(countOf(flood, 'rate-limited 1')).toBe(10);
  expect(countOf(await askMany(admission, 'quiet', 2), 'let in')).toBe(2);
  flood[0]?.end();
  await new Promise((resolve) => setImmediate(resolve));
  expect(countOf(await askMany(admission, 'flood', 1), 'let in')).toBe(1);
});

test('when the total is too high, callers with few requests are still admitted', async () => {
  const admission = new Admission();
  for (const name of ['a', 'b', 'c', 'd']) await askMany(admission, name, underWayOfOneMax);
  const late = await askMany(admission, 'late', 6);
  expect(late.map(({ outcome }) => outcome)).toEqual([...Array(4).fill('let in'), ...Array(2).fill('too-busy 1')]);
});

test('invented credentials from one network cannot use up all capacity', async () => {
  const admission = new Admission();
  const made = await askMany(admission, (index) => `made up ${index}`, 1_000, 'network');
  expect(countOf(made, 'let in')).toBe(underWayOfUnknownMax);
  expect(countOf(await askMany(admission, 'known', 2), 'let in')).toBe(2);
  expect(countOf(await askMany(admission, 'unknown elsewhere', 2, 'another network'), 'let in')).toBe(2);
  made[0]?.end();
  await new Promise((resolve) => setImmediate(resolve));
  expect(countOf(await askMany(admission, 'unknown', 2, 'network'), 'let in')).toBe(1);
});

test('a caller using invented credentials does not make other callers unknown', () => {
  const known = new KnownCallers();
  known.note('key of another', 'key:1');
  for (let at = 0; at < 12_000; at += 1) known.note(`made up ${at}`, 'user:a');
  expect(known.of('key of another')).toBe('key:1');
  expect(known.of('made up 11999')).toBe('user:a');
  expect(known.of(`made up ${11_999 - knownOfOneMax}`)).toBeUndefined();
});
