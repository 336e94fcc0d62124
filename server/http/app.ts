import { Hono, type Context as HonoContext } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Endpoint } from '#contract/endpoint.ts';
import * as limits from '#contract/limits.ts';
import { AppError, bodyTooLarge, methodNotAllowed } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { type Accounts, requirePerson } from '#server/features/accounts/index.ts';
import { type Call, type CallEffects, readJson } from '#server/features/call.ts';
import type { Chat } from '#server/features/chat/index.ts';
import type { Hosting } from '#server/features/hosting/index.ts';
import { asKnownFault, isStorageAway } from '#server/features/known-fault.ts';
import type { PdfSets } from '#server/features/pdf-sets/index.ts';
import type { SearchFeature } from '#server/features/search/index.ts';
import type { SignOn } from '#server/features/sign-on/index.ts';
import { namingHolders } from '#server/features/teams/index.ts';
import { currentRequest } from '#server/http/request-record.ts';
import type { Role } from '#server/platform/config/config-variables.ts';
import type { ErrorReporter } from '#server/platform/error-reports/error-reporter.ts';
import type { Metrics } from '#server/platform/metrics.ts';
import type { traced } from '#server/platform/tracing.ts';
import { addCallables, callablePaths, inCallableEnvelope } from './add-callables.ts';
import { addChat } from './add-chat.ts';
import { addHostingCallback } from './add-hosting-callback.ts';
import { addPdfParts, isPdfPartPath } from './add-pdf-parts.ts';
import { addSocialSignIn } from './add-social-sign-in.ts';
import { Admission, admitted, isAdmitted, isCharged, isServed, mcpPaths } from './admission.ts';
import { boundedBody, discardUnread, roomForBodies } from './bounded-body.ts';
import { cachedAnswer } from './cached-answer.ts';
import type { CallableEntry } from './callables.ts';
import { clientAddress, type IsTrustedProxy } from './client-address.ts';
import { addDocumentPages } from './document-pages.ts';
import { adminPaths, inAdminEnvelope, isOfGoneCaller, toErrorResponse } from './error-response.ts';
import { heldRefusals } from './held-refusals.ts';
import { requireKnownFields } from './known-fields.ts';
import { addLive } from './live/add-live.ts';
import type { ChangeFeed } from './live/change-feed.ts';
import { tagOf } from './live/live-reader.ts';
import { metricsResponse } from './metrics-route.ts';
import {
  type Authenticators,
  actingByRight,
  type BaseContext,
  contextOfRequest,
  deviceCookieName,
  visitorContext,
} from './request-context.ts';
import { requestLog, whoOf } from './request-log.ts';
import { rightsFirst } from './rights-first.ts';
import { originCheck, securityHeaders } from './security-headers.ts';

export interface AppParts {
  base: BaseContext;
  authenticators: Authenticators;
  calls: Call[];
  callables: CallableEntry[];
  /** The features that serve requests other than endpoint calls. */
  features: {
    accounts: Accounts;
    signOn: SignOn;
    hosting: Hosting;
    pdfSets: PdfSets;
    search: SearchFeature;
    chat: Chat;
  };
  productName: string;
  publicUrl: string;
  /** Part of the callables' addresses. */
  region: string;
  /** The feed of changes for live readers. */
  feed: ChangeFeed;
  /** Throws if a service that the server depends on does not respond. */
  reachNeeds(): Promise<void>;
  /** The process description returned at `/healthz`. */
  about: { product: string; version: string; roles: readonly Role[] };
  serveStatic(path: string, headers: Headers): Promise<Response>;
  /** Further handlers on the same origin, by path: the MCP endpoint and the endpoints compatible with other clients. */
  mounts: { path: string; method: 'GET' | 'POST' | 'ALL'; handle(request: Request): Promise<Response> }[];
  /** The OAuth endpoints for applications. */
  oauth: Hono;
  isOwnOrigin(origin: string, host: string): boolean;
  isOwnHost(host: string): boolean;
  /** True if the server is public over https; cookies are then `Secure`. */
  isHttps: boolean;
  isTrustedProxy: IsTrustedProxy;
  errorReporter: ErrorReporter;
  metrics: Metrics;
  /** Runs work as a span of the current trace, if traces are exported. */
  trace: typeof traced;
  /** The token required to scrape metrics from another machine. */
  metricsToken: string | undefined;
  /** The origin of the configured tag that counts sign-ups. */
  tagOrigin: string | undefined;
  /** The roles whose requests this process serves. */
  roles: readonly Role[];
  /** Fires when requests should go to other processes; requests that still arrive are served. */
  draining: AbortSignal;
  /** Fires when unfinished responses are aborted. */
  ending: AbortSignal;
}

/** Limit for the readiness check, so that it does not wait for an unreachable database. */
const readyMsMax = 800;

type App = Hono<{ Variables: { requestId: string } }>;

/** Creates the whole HTTP interface of one process. */
export function createApp(parts: AppParts): App {
  const app: App = new Hono();
  app.onError((thrown, c) => {
    if (isOfGoneCaller(thrown)) return c.body(null, 400);
    const error = asKnownFault(thrown);
    reportFault(error, c, parts);
    const response = toErrorResponse(error, c.get('requestId'), parts.base.log);
    return inItsEnvelope(c.req.path, parts.region, response);
  });
  app.use(heldRefusals(), discardUnread);
  app.use(requestLog(parts.base.log, (answered) => parts.metrics.request(answered), parts.trace));
  app.use(securityHeaders(parts));
  app.use(async (c, next) => {
    await next();
    // A response to HEAD is sent without its body, so no one would read a stream to its end.
    if (c.req.raw.method === 'HEAD') await c.res.body?.cancel();
  });
  app.use(async (c, next) => {
    const record = currentRequest();
    if (record !== undefined) record.address = clientAddress(c, parts.isTrustedProxy);
    return next();
  });
  app.use(async (c, next) => {
    // Another site's page whose host name resolves to this machine must not get responses (DNS rebinding).
    if (!parts.isOwnHost(c.req.header('host') ?? '')) throw new AppError('origin-refused');
    return next();
  });
  app.use(admitted(new Admission(), (c) => clientAddress(c, parts.isTrustedProxy)));
  const makeRoom = roomForBodies(
    (c) => clientAddress(c, parts.isTrustedProxy),
    (c, error) => lastAnswer(c, error, parts),
  );
  // Other limits apply to upload parts, which are written as they arrive, and to admitted searches and agent calls.
  app.use((c, next) => (isPdfPartPath(c.req.path) || isAdmitted(c.req.path) ? next() : makeRoom(c, next)));
  app.get('/healthz', () => healthResponse(parts));
  app.get('/readyz', () => readyResponse(parts));
  app.get('/metrics', (c) => metricsResponse(c, { metrics: parts.metrics, token: parts.metricsToken }));
  app.use(async (c, next) => {
    if (!isServed(parts.roles, { path: c.req.path, isForPage: isForPage(c) })) throw new AppError('not-found');
    if (c.req.method === 'HEAD' && isCharged(c.req.path)) throw methodNotAllowed('HEAD', ['GET'], false);
    await next();
    // Makes the client reconnect, so that its next request reaches a process that keeps running.
    if (parts.draining.aborted) c.res.headers.set('connection', 'close');
  });
  for (const mount of parts.mounts) {
    app.on(mount.method, mount.path, (c, next) =>
      mcpPaths.includes(mount.path) && isForPage(c) ? next() : mount.handle(c.req.raw),
    );
  }
  addInterface(app, parts);
  app.route('/', parts.oauth);
  app.get('*', async (c) => {
    const page = await parts.serveStatic(c.req.path, c.req.raw.headers);
    if (page.status === 404) requireMethod(app, c);
    return page;
  });
  app.all('*', async (c) => {
    requireMethod(app, c);
    const page = await parts.serveStatic(c.req.path, c.req.raw.headers);
    await page.body?.cancel();
    throw page.status === 404 ? new AppError('not-found') : methodNotAllowed(c.req.method, ['GET']);
  });
  return app;
}

function addInterface(app: App, parts: AppParts): void {
  const roomy = new Set(
    parts.calls.flatMap(({ endpoint }) => (endpoint.bodyBytesMax === undefined ? [] : [endpoint.path])),
  );
  for (const path of ['/api/*', adminPaths, ...callablePaths(parts.region)]) {
    app.use(path, originCheck(parts.isOwnOrigin));
    const bounded = bodyLimit({
      maxSize: limits.requestBytesMax,
      onError: (c) => lastAnswer(c, bodyTooLarge(limits.requestBytesMax), parts),
    });
    app.use(path, (c, next) => (isPdfPartPath(c.req.path) || roomy.has(c.req.path) ? next() : bounded(c, next)));
  }
  const contextOf = contextFinder(parts);
  addCallables(app, {
    entries: parts.callables,
    region: parts.region,
    clock: parts.base.clock,
    contextOf,
    effectsOf: (c) => effectsOf(c, parts),
  });
  const { accounts, signOn, hosting, pdfSets, search, chat } = parts.features;
  addSocialSignIn(app, { ...parts, accounts, signOn, contextOf, effectsOf: (c) => effectsOf(c, parts) });
  addHostingCallback(app, { hosting, contextOf });
  addLive(app, {
    feed: parts.feed,
    stopping: parts.draining,
    contextOf,
  });
  addPdfParts(app, { pdfSets, contextOf });
  const addressOf = (c: HonoContext) => clientAddress(c, parts.isTrustedProxy);
  addDocumentPages(app, { search, contextOf, addressOf });
  const readInput = async (c: HonoContext) => inputOf(c, await c.req.text());
  addChat(app, { chat, feed: parts.feed, ending: parts.ending, contextOf, inputOf: readInput, addressOf });
  addCalls(app, parts, contextOf);
  for (const path of ['/api/*', adminPaths]) {
    app.all(path, (c) => {
      requireMethod(app, c);
      throw new AppError('not-found');
    });
  }
}

/** Throws `method-not-allowed` if the request's path exists only for other methods. */
function requireMethod(app: App, { req }: HonoContext): void {
  const isRouted = (method: string) =>
    app.router.match(method, req.path)[0].some(([[, route]]) => route.method === method && !/^\/?\*$/.test(route.path));
  // GET routes serve HEAD too.
  const asked = req.method === 'HEAD' ? 'GET' : req.method;
  const allowed = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(isRouted);
  if (allowed.length > 0 && !allowed.includes(asked)) throw methodNotAllowed(req.method, allowed, !isCharged(req.path));
}

type ContextOf = (c: HonoContext) => Promise<Context>;

/** Returns a function that identifies a request's sender, for the response and the log line. */
function contextFinder({ base, authenticators }: AppParts): ContextOf {
  return async (c) => {
    const ctx = await contextOfRequest(c, base, authenticators, c.get('requestId'));
    const record = currentRequest();
    if (record !== undefined) {
      record.who = whoOf(ctx.actor);
      record.userId = ctx.actor.kind === 'anonymous' ? undefined : ctx.actor.userId;
    }
    return ctx;
  };
}

function addCalls(app: App, parts: AppParts, contextOf: ContextOf): void {
  // Responses that are the same for everyone are sent even while the database is unreachable and no one can be
  // identified.
  const contextOfCall = async (c: HonoContext, endpoint: Endpoint) => {
    const ctx = await contextOf(c).catch((error: unknown) => {
      if (endpoint.cacheSeconds === undefined || !isStorageAway(error)) throw error;
      return visitorContext(parts.base, c.get('requestId'));
    });
    return actingByRight(ctx, endpoint);
  };
  for (const entry of parts.calls) {
    app.on(entry.endpoint.method, entry.endpoint.path, async (c) => {
      const { endpoint } = entry;
      const ctx = await contextOfCall(c, endpoint);
      const output = await answerOf(c, ctx, entry, parts);
      const { attachment, cacheSeconds } = endpoint;
      const age = cacheSeconds === undefined ? 'no-store' : `public, max-age=${cacheSeconds}`;
      const headers = { 'cache-control': age, 'x-request-id': ctx.requestId };
      const caching = entry.cachingOf(ctx, output);
      if (caching !== undefined) {
        const ifNoneMatch = c.req.header('if-none-match');
        const kept = { ...headers, 'content-type': 'application/json' };
        return cachedAnswer(JSON.stringify(output), { caching, ifNoneMatch, headers: kept });
      }
      if (attachment === undefined) {
        const bytes = cacheSeconds === undefined ? bytesOf(output) : writtenOnce(output as object);
        return c.body(bytes, 200, { ...headers, 'content-type': 'application/json' });
      }
      const file = typeof output === 'string' ? output : ReadableStream.from(output as AsyncIterable<Uint8Array>);
      return c.body(file, 200, {
        ...headers,
        'content-type': attachment.mediaType,
        'content-disposition': `attachment; filename="${attachment.fileName}"`,
      });
    });
  }
}

const bytesOf = (output: unknown) => Buffer.from(JSON.stringify(output));
const written = new WeakMap<object, ReturnType<typeof bytesOf>>();

/** Serializes a shared response once and keeps it in memory for all requests. */
function writtenOnce(output: object): ReturnType<typeof bytesOf> {
  const bytes = written.get(output) ?? bytesOf(output);
  written.set(output, bytes);
  return bytes;
}

async function answerOf(c: HonoContext, ctx: Context, { endpoint, run }: Call, parts: AppParts): Promise<unknown> {
  try {
    const input = inputOf(c, await bodyOf(c, ctx, endpoint), endpoint.input);
    return await run(ctx, input, effectsOf(c, parts));
  } catch (fault) {
    const told = await rightsFirst(ctx, { endpoint, named: c.req.param() }, fault);
    throw await namingHolders(ctx.db.query, told);
  }
}

/**
 * Returns true if an address is opened for reading, as a page or as Markdown: the MCP endpoint's address also has a
 * page about it.
 */
function isForPage(c: HonoContext): boolean {
  const accept = c.req.header('accept') ?? '';
  return (c.req.method === 'GET' || c.req.method === 'HEAD') && /\btext\/(?:html|markdown)\b/.test(accept);
}

/**
 * Returns the liveness response. It checks no dependencies: a supervisor restarts a process that fails this check, and
 * restarting would not bring an unreachable database back.
 */
function healthResponse({ draining, about }: AppParts): Response {
  const ready = !draining.aborted;
  return Response.json({ ...about, ready }, { status: ready ? 200 : 503, headers: { 'cache-control': 'no-store' } });
}

/**
 * Returns the readiness response within a second: not ready while draining or stopping, or while a dependency is
 * unreachable.
 */
async function readyResponse({ draining, reachNeeds, base }: AppParts): Promise<Response> {
  const ended = new AbortController();
  const not = () => false;
  const tooLate = base.clock.sleep(readyMsMax, ended.signal).then(not, not);
  const ready = !draining.aborted && (await Promise.race([reachNeeds().then(() => true, not), tooLate]));
  ended.abort();
  return Response.json({ ready }, { status: ready ? 200 : 503, headers: { 'cache-control': 'no-store' } });
}

/** Returns the text of a body; large bodies are read only for senders who may send them. */
async function bodyOf(c: HonoContext, ctx: Context, { bodyBytesMax, insteadOfMore }: Endpoint): Promise<string> {
  if (c.req.method !== 'POST' && c.req.method !== 'PUT') return '';
  if (bodyBytesMax === undefined) return c.req.text();
  requirePerson(ctx);
  return (await boundedBody(c.req.raw, bodyBytesMax, insteadOfMore)).toString('utf8');
}

/** Returns the fields of a request. Its body may only have fields of the schema. */
function inputOf(c: HonoContext, text: string, schema?: Endpoint['input']): Record<string, unknown> {
  const fields = { ...c.req.query(), ...c.req.param() };
  if (text === '') return fields;
  const body = readJson(text);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AppError('invalid-input', { values: { reason: 'the body is not a JSON object' } });
  }
  requireOneMeaning(body as Record<string, unknown>, c.req.param());
  if (schema !== undefined) requireKnownFields(schema, body);
  return { ...body, ...fields };
}

/** The address names the object of a request; a body that names another is a mistake or an attack. */
function requireOneMeaning(body: Record<string, unknown>, named: Record<string, string>): void {
  const other = Object.keys(named).find((name) => Object.hasOwn(body, name) && body[name] !== named[name]);
  if (other === undefined) return;
  const reason = `the body names another ${other} than the address`;
  throw new AppError('invalid-input', { values: { reason } });
}

function effectsOf(c: HonoContext, parts: AppParts): CallEffects {
  const { base, isHttps, isTrustedProxy, authenticators, feed } = parts;
  const { sessionCookie } = authenticators;
  const deviceCookie = deviceCookieName(isHttps);
  const attributes = { httpOnly: true, sameSite: 'Lax', path: '/', secure: isHttps } as const;
  return {
    browser: {
      address: clientAddress(c, isTrustedProxy),
      userAgent: c.req.header('user-agent') ?? '',
      sessionToken: getCookie(c, sessionCookie),
      deviceToken: getCookie(c, deviceCookie),
    },
    livePositionOf: (actor) => `${feed.position}.${tagOf(actor)}`,
    setDevice: (token) =>
      setCookie(c, deviceCookie, token, { ...attributes, maxAge: limits.deviceLifetimeDays * 86_400 }),
    setSession(token, expiresAt) {
      base.log.info({ requestId: c.get('requestId') }, token === null ? 'a session ended' : 'someone signed in');
      if (token === null) deleteCookie(c, sessionCookie, attributes);
      else setCookie(c, sessionCookie, token, { ...attributes, expires: new Date(expiresAt) });
    },
  };
}

/** Reports our own errors; callers' mistakes are only returned to the caller. */
function reportFault(error: unknown, c: HonoContext, { errorReporter }: AppParts): void {
  if (error instanceof AppError && error.code !== 'internal') return;
  const requestId: string = c.get('requestId');
  const { userId } = currentRequest() ?? {};
  const person = userId === undefined ? undefined : { userId, email: null };
  errorReporter.report(error, { from: 'server', requestId, path: `${c.req.method} ${c.req.path}`, person });
}

/** Refuses a request and closes the connection, because the rest of the request is not read. */
function lastAnswer(c: HonoContext, error: AppError, { base, region }: AppParts): Promise<Response> {
  const response = toErrorResponse(error, c.get('requestId'), base.log);
  response.headers.set('connection', 'close');
  return inItsEnvelope(c.req.path, region, response);
}

/** Wraps an error in the envelope of its kind of path. */
async function inItsEnvelope(path: string, region: string, response: Response): Promise<Response> {
  return inCallableEnvelope(path, region, await inAdminEnvelope(path, response));
}
