import { expect, test } from 'vitest';
import { Coverage } from './coverage.ts';
import { Frontier } from './frontier.ts';
import { allowEverything } from './robots-rules.ts';

const origin = 'https://docs.example.org/';
const queueMax = 1_000;

function frontierOf(): Frontier {
  const rules = { scope: [origin], depthMax: 100, queueMax, pdfFilesMax: 0, robotsOf: () => allowEverything };
  return new Frontier(rules, new Coverage());
}

test.each([
  ['that are not asked for', { ending: 'zip', length: 100, isAsked: false }],
  ['that find no room', { ending: 'html', length: 100, isAsked: false }],
  ['that are long', { ending: 'html', length: 1_900, isAsked: true }],
])('the number of remembered addresses %s is limited', (_, { ending, length, isAsked }) => {
  const frontier = frontierOf();
  for (let at = 0; at < 100_000; at += 1) {
    frontier.offer(`${origin}${at}${'x'.repeat(length)}.${ending}`, 1);
    const next = isAsked ? frontier.take(() => false, true) : undefined;
    if (next !== undefined) frontier.markDone(next.address);
  }
  expect(frontier.foundCount).toBeLessThanOrEqual(51_000);
  expect(frontier.foundCount * length).toBeLessThanOrEqual(11_000_000);
});

test('an address dropped for lack of room is accepted later, a refused one is not', () => {
  const frontier = frontierOf();
  const addresses = Array.from({ length: queueMax }, (_, at) => `${origin}${at}`);
  for (const address of [...addresses, `${origin}late`, `${origin}late.zip`]) frontier.offer(address, 1);
  expect(frontier.pendingCount).toBe(queueMax);
  for (const address of addresses) frontier.markDone(address);
  for (const address of [`${origin}late`, `${origin}late.zip`]) frontier.offer(address, 1);
  expect(frontier.take(() => false, true)?.address).toBe(`${origin}late`);
  expect(frontier.foundCount).toBe(queueMax + 2);
});
