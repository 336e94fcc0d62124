import type { Hono, Context as HonoContext } from 'hono';
import { type CallableErrorEnvelope, callableStatusOf } from '#contract/callables.ts';
import type { ErrorEnvelope } from '#contract/errors.ts';
import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { requireUserId } from '#server/features/accounts/index.ts';
import { type CallEffects, readJson } from '#server/features/call.ts';
import { namingHolders } from '#server/features/teams/index.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { CallableEntry } from './callables.ts';
import { actingByRight } from './request-context.ts';
import { rightsFirst } from './rights-first.ts';

export interface CallableParts {
  entries: CallableEntry[];
  /** The functions are also available under `/{region}/{name}`. */
  region: string;
  clock: Clock;
  contextOf(c: HonoContext): Promise<Context>;
  effectsOf(c: HonoContext): CallEffects;
}

/** Returns the path patterns of callables, which have the same origin check and body limit as `/api`. */
export function callablePaths(region: string): string[] {
  return ['/callable/:name', `/${region}/:name`];
}

/** Adds `POST /callable/{name}`, which takes `{data}` and returns `{result}` within 70 seconds. */
export function addCallables(app: Hono<{ Variables: { requestId: string } }>, parts: CallableParts): void {
  const byName = new Map(parts.entries.map((entry) => [entry.name, entry]));
  for (const path of callablePaths(parts.region)) {
    app.post(path, async (c) => {
      const entry = byName.get(c.req.param('name') ?? '');
      if (entry === undefined) throw new AppError('not-found');
      const ctx = actingByRight(await parts.contextOf(c), entry);
      // Refuse visitors before reading the input.
      if (entry.access !== 'anyone') requireUserId(ctx);
      const effects = parts.effectsOf(c);
      const work = (async () => entry.run(ctx, await dataOf(c), effects))().catch(async (fault: unknown) => {
        throw await namingHolders(ctx.db.query, await rightsFirst(ctx, { endpoint: entry, named: {} }, fault));
      });
      const result = await withinTime(parts.clock, work);
      return c.json({ result }, 200, { 'cache-control': 'no-store', 'x-request-id': ctx.requestId });
    });
  }
}

/** Sends an error at a callable's path as `{error: {status, message, details}}`, with its code in the details. */
export async function inCallableEnvelope(path: string, region: string, response: Response): Promise<Response> {
  if (!path.startsWith('/callable/') && !path.startsWith(`/${region}/`)) return response;
  const { error } = (await response.json()) as ErrorEnvelope;
  const { code, message, requestId } = error;
  const status = callableStatusOf(response.status);
  const body: CallableErrorEnvelope = { error: { status, message, details: { code, requestId } } };
  return new Response(JSON.stringify(body), { status: response.status, headers: response.headers });
}

/** Limits the wait for the result; the work itself continues after a timeout. */
async function withinTime<T>(clock: Clock, work: Promise<T>): Promise<T> {
  const over = new AbortController();
  const late = async (): Promise<never> => {
    await clock.sleep(limits.callTimeoutSeconds * 1000, over.signal);
    throw new AppError('deadline-exceeded', { values: { seconds: limits.callTimeoutSeconds } });
  };
  const deadline = late();
  deadline.catch(() => undefined);
  try {
    return await Promise.race([work, deadline]);
  } finally {
    over.abort();
  }
}

async function dataOf(c: HonoContext): Promise<unknown> {
  const body = readJson(await c.req.text());
  if (typeof body === 'object' && body !== null && 'data' in body) return body.data;
  throw new AppError('invalid-input', { values: { reason: 'the body is not an object with the field "data"' } });
}
