import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context as HonoContext } from 'hono';
import { AppError } from '#server/app-error.ts';
import type { Metrics } from '#server/platform/metrics.ts';
import { clientAddress } from './client-address.ts';

const loopbackHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;
const loopbackAddress = /^(127\.|::1$|::ffff:127\.)/;

/**
 * Returns the metrics for a scrape from this machine or with the token; otherwise not found. Requests passed on by a
 * proxy also come from this machine, and are recognised by their headers.
 */
export async function metricsResponse(
  c: HonoContext,
  { metrics, token }: { metrics: Metrics; token: string | undefined },
): Promise<Response> {
  if (!isOfThisMachine(c) && !showsToken(c, token)) throw new AppError('not-found');
  const { contentType, body } = await metrics.text();
  return new Response(body, { headers: { 'content-type': contentType, 'cache-control': 'no-store' } });
}

function isOfThisMachine(c: HonoContext): boolean {
  const isPassedOn = ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'].some((name) => c.req.header(name));
  const address = clientAddress(c, () => false);
  return !isPassedOn && loopbackAddress.test(address) && loopbackHost.test(c.req.header('host') ?? '');
}

function showsToken(c: HonoContext, token: string | undefined): boolean {
  const shown = /^Bearer\s+(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
  if (token === undefined || shown === undefined) return false;
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(shown), digest(token));
}
