import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { Actor } from '#server/context.ts';
import { type RequestRecord, withRequestRecord } from '#server/http/request-record.ts';
import type { Logger } from '#server/platform/log.ts';

/** Asked by machines every few seconds. */
const quietPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/** One request that was answered. */
export interface AnsweredRequest {
  method: string;
  /** The pattern that answered it, never the path itself: paths may hold what lets people in. */
  route: string;
  status: number;
  ms: number;
}

/** Gives each request an id, which its response names as `x-request-id`, and writes one line when it is answered. */
export function requestLog(
  log: Logger,
  observe: (answered: AnsweredRequest) => void,
): MiddlewareHandler<{ Variables: { requestId: string } }> {
  return async (c, next) => {
    const record: RequestRecord = { requestId: randomUUID() };
    c.set('requestId', record.requestId);
    const startedAt = performance.now();
    await withRequestRecord(record, next);
    if (!c.res.headers.has('x-request-id')) c.res.headers.set('x-request-id', record.requestId);
    const patterns = matchedRoutes(c).map(({ path }) => path);
    const route = patterns.findLast((path) => !path.endsWith('*')) ?? patterns.at(-1) ?? '*';
    const ms = Math.round((performance.now() - startedAt) * 10) / 10;
    const answered = { method: c.req.method, route, status: c.res.status, ms };
    observe(answered);
    const { requestId, who, code } = record;
    const line = { ...answered, requestId, who, code };
    if (quietPaths.has(c.req.path)) log.debug(line, 'request');
    else log.info(line, 'request');
  };
}

/** Who acts, by id: `user:…`, `key:…` or `connection:…`; undefined for a visitor. */
export function whoOf(actor: Actor): string | undefined {
  switch (actor.kind) {
    case 'anonymous':
      return undefined;
    case 'key':
      return `key:${actor.keyId}`;
    case 'connection':
      return `connection:${actor.connectionId}`;
    default:
      return `${actor.kind}:${actor.userId}`;
  }
}
