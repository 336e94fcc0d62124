import { randomUUID } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { Actor } from '#server/context.ts';
import { type RequestRecord, withRequestRecord } from '#server/http/request-record.ts';
import type { Logger } from '#server/platform/log.ts';
import type { traced } from '#server/platform/tracing.ts';

/** Paths that machines request every few seconds. */
const quietPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/** A request with its response. */
export interface AnsweredRequest {
  method: string;
  /** The matched route pattern, never the path itself: paths may contain credentials. */
  route: string;
  status: number;
  ms: number;
}

/** Gives each request an id, returned as `x-request-id`, and logs one line per response. */
export function requestLog(
  log: Logger,
  observe: (answered: AnsweredRequest) => void,
  trace: typeof traced,
): MiddlewareHandler<{ Variables: { requestId: string } }> {
  return async (c, next) => {
    const record: RequestRecord = { requestId: randomUUID() };
    c.set('requestId', record.requestId);
    const startedAt = performance.now();
    if (quietPaths.has(c.req.path)) await withRequestRecord(record, next);
    else await tracedRequest(c, { record, trace }, next);
    if (!c.res.headers.has('x-request-id')) c.res.headers.set('x-request-id', record.requestId);
    const route = routeOf(c);
    const ms = Math.round((performance.now() - startedAt) * 10) / 10;
    const answered = { method: c.req.method, route, status: c.res.status, ms };
    observe(answered);
    const { requestId, who, code } = record;
    const line = { ...answered, requestId, who, code };
    if (quietPaths.has(c.req.path)) log.debug(line, 'request');
    else log.info(line, 'request');
  };
}

/** Returns the route pattern that handled a request. */
function routeOf(c: Context): string {
  const patterns = matchedRoutes(c).map(({ path }) => path);
  return patterns.findLast((path) => !path.endsWith('*')) ?? patterns.at(-1) ?? '*';
}

/** Runs the work as a span of the trace the request names, or of a new trace. */
function tracedRequest(
  c: Context,
  { record, trace }: { record: RequestRecord; trace: typeof traced },
  next: () => Promise<void>,
): Promise<void> {
  const { method } = c.req;
  return trace(
    method,
    async (span) => {
      await withRequestRecord(record, next);
      const route = routeOf(c);
      span.rename(`${method} ${route}`);
      span.note({
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': c.res.status,
        'lectern.request_id': record.requestId,
        ...(record.code === undefined ? {} : { 'error.type': record.code }),
      });
    },
    c.req.header('traceparent') ?? '',
  );
}

/** Returns the actor's id: `user:…`, `key:…` or `connection:…`; undefined for a visitor. */
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
