import { expect, test } from 'vitest';
import { startRounds } from './rounds.ts';

const aDayMs = 24 * 60 * 60 * 1000;

test('one round at a time; woken meanwhile, however often, one more follows; stopping waits for the end', async () => {
  const ends: (() => void)[] = [];
  let begun = 0;
  let atOnce = 0;
  const rounds = startRounds(aDayMs, async (signal) => {
    begun += 1;
    atOnce += 1;
    expect(atOnce).toBe(1);
    await new Promise<void>((resolve) => {
      ends.push(resolve);
      signal.addEventListener('abort', () => resolve());
    });
    atOnce -= 1;
  });
  expect(begun).toBe(1);
  for (let woken = 0; woken < 3; woken += 1) rounds.wake();
  expect(begun).toBe(1);
  ends.shift()?.();
  await expect.poll(() => begun).toBe(2);
  ends.shift()?.();
  await expect.poll(() => atOnce).toBe(0);
  expect(begun).toBe(2);
  rounds.wake();
  expect(begun).toBe(3);
  await rounds.stop();
  expect(atOnce).toBe(0);
  rounds.wake();
  expect(begun).toBe(3);
});
