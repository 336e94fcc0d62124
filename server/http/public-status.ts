import type { Context } from '#server/context.ts';
import type { Status } from '#server/features/status/index.ts';
import type { PublicStatus } from './public-face/written-status.ts';

/** People open the status page when something does not respond, so the page does not wait longer for it. */
const patienceMs = 2_000;

/** Returns the data of the status page. Never fails: data that is unavailable or late is left out. */
export async function readPublicStatus(
  ctx: Context,
  status: Pick<Status, 'getStatus' | 'getStatusHistory' | 'getStatusLatency' | 'listIncidents'>,
): Promise<PublicStatus> {
  const [report, history, latency, incidents] = await Promise.all([
    inTime(ctx, status.getStatus(ctx)),
    inTime(ctx, status.getStatusHistory(ctx)),
    inTime(ctx, status.getStatusLatency(ctx, { range: '24h' })),
    inTime(ctx, status.listIncidents(ctx)),
  ]);
  return { at: ctx.clock.now(), report, history, latency, incidents };
}

async function inTime<Answer>(ctx: Context, reading: Promise<Answer>): Promise<Answer | undefined> {
  const settled = new AbortController();
  const told = reading.catch((error: unknown) => {
    ctx.log.warn({ err: error }, 'a part of the status page could not be read');
    return undefined;
  });
  const tooLate = ctx.clock.sleep(patienceMs, settled.signal).then(
    () => undefined,
    () => undefined,
  );
  try {
    return await Promise.race([told, tooLate]);
  } finally {
    settled.abort();
  }
}
