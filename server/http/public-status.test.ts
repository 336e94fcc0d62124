import { expect, test } from 'vitest';
import { createAnswerCache } from '#server/features/status/answer-cache.ts';
import type { StatusDependencies } from '#server/features/status/dependencies.ts';
import { getStatus, getStatusHistory } from '#server/features/status/get-status.ts';
import { getStatusLatency } from '#server/features/status/get-status-latency.ts';
import { listIncidents } from '#server/features/status/incidents.ts';
import { freshDatabase } from '#test/services/database.ts';
import { samplingOf, statusOf, visitorOf } from '#test/services/sample-measuring.ts';
import { until } from '#test/services/until.ts';
import { readPublicStatus } from './public-status.ts';

const verbsOf = (needs: StatusDependencies): Parameters<typeof readPublicStatus>[1] => ({
  getStatus: (ctx) => getStatus(ctx, needs),
  getStatusHistory: (ctx) => getStatusHistory(ctx, needs),
  getStatusLatency: (ctx, input) => getStatusLatency(ctx, input, needs),
  listIncidents: (ctx) => listIncidents(ctx, needs),
});

test('the status page is not delayed: parts that fail or time out are left out', async () => {
  const ctx = visitorOf(await freshDatabase());
  const status = statusOf(samplingOf(ctx, 'a'));
  const whole = await readPublicStatus(ctx, verbsOf(status));
  expect(whole).toMatchObject({ report: { state: 'unknown' }, history: {}, latency: {}, incidents: [] });

  const cache = createAnswerCache(60_000);
  const now = ctx.clock.now();
  await Promise.all([getStatus(ctx, { ...status, cache }), listIncidents(ctx, { cache })]);
  void cache.answer('history', now, () => new Promise(() => undefined));
  cache.answer('latency 24h', now, () => Promise.reject(new Error('no disk'))).catch(() => undefined);
  const reading = readPublicStatus(ctx, verbsOf({ ...status, cache }));
  await until('only what does not come is waited for', async () => ctx.clock.sleeperCount === 1 || undefined);
  ctx.clock.advance(5_000);
  expect(await reading).toMatchObject({ report: { state: 'unknown' }, history: undefined, incidents: [] });
  expect(ctx.clock.sleeperCount).toBe(0);
});
