import { expect, test } from 'vitest';
import { createSettableClock } from '#test/services/settable-clock.ts';
import { systemClock } from './clock.ts';

test('a settable clock stands still until moved and wakes sleepers in order of time', async () => {
  const clock = createSettableClock(1000);
  const woken: string[] = [];
  const sleeps = [clock.sleep(50).then(() => woken.push('late')), clock.sleep(20).then(() => woken.push('early'))];
  const tooLate = clock.sleep(60);
  expect([clock.now(), clock.sleeperCount]).toEqual([1000, 3]);
  clock.advance(50);
  await Promise.all(sleeps);
  expect([clock.now(), clock.sleeperCount, ...woken]).toEqual([1050, 1, 'early', 'late']);
  clock.set(1060);
  await tooLate;
});

test.each([
  ['settable', createSettableClock()],
  ['system', systemClock],
])('an aborted sleep of the %s clock ends with the reason', async (_name, clock) => {
  const abort = new AbortController();
  const sleeping = clock.sleep(60_000, abort.signal);
  abort.abort(new Error('enough'));
  await expect(sleeping).rejects.toThrow('enough');
  await expect(clock.sleep(60_000, abort.signal)).rejects.toThrow('enough');
});
