import { expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { silentLog } from '#test/services/log.ts';
import { createSettableClock } from '#test/services/settable-clock.ts';
import { type ScheduledJob, startScheduledJobs } from './scheduled-jobs.ts';

const minuteMs = 60_000;

function openParts() {
  const clock = createSettableClock();
  // Only these parts of a context are used.
  const ctx = { clock, log: silentLog } as unknown as Context;
  const asleep = async () => {
    await expect.poll(() => clock.sleeperCount).toBe(1);
  };
  return { clock, ctx, asleep };
}

test('a job has one run at a time; wake-ups during it cause one more; stopping waits for the end', async () => {
  const { ctx, asleep } = openParts();
  const ends: (() => void)[] = [];
  let begun = 0;
  let atOnce = 0;
  let wake = () => {};
  const jobs = startScheduledJobs(ctx, [
    {
      name: 'sample',
      where: 'worker',
      everyMs: 1_000 * minuteMs,
      wakeOn: (wakeNow) => {
        wake = wakeNow;
      },
      async run(_ctx, signal) {
        begun += 1;
        atOnce += 1;
        expect(atOnce).toBe(1);
        await new Promise<void>((resolve) => {
          ends.push(resolve);
          signal.addEventListener('abort', () => resolve());
        });
        atOnce -= 1;
      },
    },
  ]);
  await expect.poll(() => begun).toBe(1);
  for (let woken = 0; woken < 3; woken += 1) wake();
  expect(begun).toBe(1);
  ends.shift()?.();
  await expect.poll(() => begun).toBe(2);
  ends.shift()?.();
  await asleep();
  expect(begun).toBe(2);
  wake();
  await expect.poll(() => begun).toBe(3);
  await jobs.stop();
  expect(atOnce).toBe(0);
  wake();
  expect(begun).toBe(3);
});

test('a failed run does not end the job, an aligned job runs at the full minute, and stopping flushes', async () => {
  const { clock, ctx, asleep } = openParts();
  clock.set(clock.now() + 20_000);
  const told: string[] = [];
  const job: ScheduledJob = {
    name: 'sample',
    where: 'server',
    everyMs: minuteMs,
    isAligned: true,
    run: () => {
      told.push(`run at ${(clock.now() / 1_000) % 60}`);
      return Promise.reject(new Error('broken'));
    },
    flush: async () => void told.push('flushed'),
  };
  const jobs = startScheduledJobs(ctx, [job]);
  await asleep();
  clock.advance(40_000);
  await asleep();
  await jobs.stop();
  await jobs.stop();
  expect(told).toEqual(['run at 20', 'run at 0', 'flushed', 'flushed']);
});

test('jobs that delete files wait while another database uses the same store', async () => {
  const { clock, ctx, asleep } = openParts();
  let mayDelete = false;
  let runs = 0;
  const job: ScheduledJob = {
    ...{ name: 'sample', where: 'worker', everyMs: minuteMs, deletesFiles: true },
    run: async () => void (runs += 1),
  };
  const jobs = startScheduledJobs(ctx, [job], async () => mayDelete);
  await asleep();
  expect(runs).toBe(0);
  mayDelete = true;
  clock.advance(minuteMs);
  await expect.poll(() => runs).toBe(1);
  await jobs.stop();
});
