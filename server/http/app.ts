import { Hono, type Context as HonoContext } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Endpoint } from '#contract/endpoint.ts';
import * as limits from '#contract/limits.ts';
import { AppError, bodyTooLarge, methodNotAllowed } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { type Accounts, requirePerson } from '#server/features/accounts/index.ts';
import type { Call, CallEffects } from '#server/features/call.ts';
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
import { boundedBody, roomForBodies } from './bounded-body.ts';
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
  /** The features that serve more than endpoints. */
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
  /** Named in the addresses of callables. */
  region: string;
  /** The feed of changes for live readers. */
  feed: ChangeFeed;
  /** Throws when something that the server needs does not answer. */
  reachNeeds(): Promise<void>;
  /** What a process says about itself at `/healthz`. */
  about: { product: string; version: string; roles: readonly Role[] };
  serveStatic(path: string, headers: Headers): Promise<Response>;
  /** Further handlers on the same origin, by path: the MCP end point and what is compatible with other clients. */
  mounts: { path: string; method: 'GET' | 'POST' | 'ALL'; handle(request: Request): Promise<Response> }[];
  /** The end points that applications connect through. */
  oauth: Hono;
  isOwnOrigin(origin: string, host: string): boolean;
  isOwnHost(host: string): boolean;
  /** Cookies are `Secure` when people reach the server over https. */
  isHttps: boolean;
  isTrustedProxy: IsTrustedProxy;
  errorReporter: ErrorReporter;
  metrics: Metrics;
  /** Does work as a span of the current trace, where traces are sent. */
  trace: typeof traced;
  /** What a scrape from another machine shows. */
  metricsToken: string | undefined;
  /** Where the configured tag that counts sign-ups comes from. */
  tagOrigin: string | undefined;
  /** What this process answers. */
  roles: readonly Role[];
  /** Fires when requests should go elsewhere; those that come are answered. */
  draining: AbortSignal;
  /** Fires when answers that are still being written are cut. */
  ending: AbortSignal;
}

/** A readiness check does not wait for a database that is away. */
const readyMsMax = 800;

type App = Hono<{ Variables: { requestId: string } }>;

/** The whole HTTP interface of one process. */
export function createApp(parts: AppParts): App {
  const app: App = new Hono();
  app.onError((thrown, c) => {
    if (isOfGoneCaller(thrown)) return c.body(null, 400);
    const error = asKnownFault(thrown);
    reportFault(error, c, parts);
    const response = toErrorResponse(error, c.get('requestId'), parts.base.log);
    return inItsEnvelope(c.req.path, parts.region, response);
  });
  app.use(heldRefusals());
  app.use(requestLog(parts.base.log, (answered) => parts.metrics.request(answered), parts.trace));
  app.use(securityHeaders(parts));
  app.use(async (c, next) => {
    await next();
    // A response to HEAD is sent without its body: no one would read a stream to its end.
    if (c.req.raw.method === 'HEAD') await c.res.body?.cancel();
  });
  app.use(admitted(new Admission(), (c) => clientAddress(c, parts.isTrustedProxy)));
  app.use(async (c, next) => {
    const record = currentRequest();
    if (record !== undefined) record.address = clientAddress(c, parts.isTrustedProxy);
    return next();
  });
  app.use(async (c, next) => {
    // A page of another site that points its own name at this machine must not get answers (DNS rebinding).
    if (!parts.isOwnHost(c.req.header('host') ?? '')) throw new AppError('origin-refused');
    return next();
  });
  const makeRoom = roomForBodies(
    (c) => clientAddress(c, parts.isTrustedProxy),
    (c, error) => lastAnswer(c, error, parts),
  );
  // Parts of uploads are written as they come, and searches and calls of agents are let in by their number.
  app.use((c, next) => (isPdfPartPath(c.req.path) || isAdmitted(c.req.path) ? next() : makeRoom(c, next)));
  app.get('/healthz', () => healthResponse(parts));
  app.get('/readyz', () => readyResponse(parts));
  app.get('/metrics', (c) => metricsResponse(c, { metrics: parts.metrics, token: parts.metricsToken }));
  app.use(async (c, next) => {
    if (!isServed(parts.roles, { path: c.req.path, isForPage: isForPage(c) })) throw new AppError('not-found');
    if (c.req.method === 'HEAD' && isCharged(c.req.path)) throw methodNotAllowed('HEAD', ['GET'], false);
    await next();
    // The next request of this connection is to find a process that stays.
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

/** Throws `method-not-allowed` where the path of a request answers to other methods than that of the request. */
function requireMethod(app: App, { req }: HonoContext): void {
  const isRouted = (method: string) =>
    app.router.match(method, req.path)[0].some(([[, route]]) => route.method === method && !/^\/?\*$/.test(route.path));
  // A route of GET answers HEAD too.
  const asked = req.method === 'HEAD' ? 'GET' : req.method;
  const allowed = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(isRouted);
  if (allowed.length > 0 && !allowed.includes(asked)) throw methodNotAllowed(req.method, allowed, !isCharged(req.path));
}

type ContextOf = (c: HonoContext) => Promise<Context>;

/** Finds out who sends a request, for its answer and for its line in the log. */
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
  // What is the same for everyone is sent also while no one can be recognised.
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
      return c.body(output as string, 200, {
        ...headers,
        'content-type': attachment.mediaType,
        'content-disposition': `attachment; filename="${attachment.fileName}"`,
      });
    });
  }
}

const bytesOf = (output: unknown) => Buffer.from(JSON.stringify(output));
const written = new WeakMap<object, ReturnType<typeof bytesOf>>();

/** What is the same for everyone is written and kept in memory once, however many ask for it. */
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

/** Returns true if an address is opened to be read, as a page or as Markdown: beside the end point of agents stands a page about it. */
function isForPage(c: HonoContext): boolean {
  const accept = c.req.header('accept') ?? '';
  return (c.req.method === 'GET' || c.req.method === 'HEAD') && /\btext\/(?:html|markdown)\b/.test(accept);
}

/**
 * Returns true if the process lives. It checks nothing else: a supervisor restarts a process that does not answer here, and would otherwise do so
 * for a database that is away, over and over, and with it to no end.
 */
function healthResponse({ draining, about }: AppParts): Response {
  const ready = !draining.aborted;
  return Response.json({ ...about, ready }, { status: ready ? 200 : 503, headers: { 'cache-control': 'no-store' } });
}

/** Returns true if requests should come here: not while it drains or stops, nor without what it needs, told within a second. */
async function readyResponse({ draining, reachNeeds, base }: AppParts): Promise<Response> {
  const ended = new AbortController();
  const not = () => false;
  const tooLate = base.clock.sleep(readyMsMax, ended.signal).then(not, not);
  const ready = !draining.aborted && (await Promise.race([reachNeeds().then(() => true, not), tooLate]));
  ended.abort();
  return Response.json({ ready }, { status: ready ? 200 : 503, headers: { 'cache-control': 'no-store' } });
}

/** The text of a body; a large one is read for those alone who may send it. */
async function bodyOf(c: HonoContext, ctx: Context, { bodyBytesMax, insteadOfMore }: Endpoint): Promise<string> {
  if (c.req.method !== 'POST' && c.req.method !== 'PUT') return '';
  if (bodyBytesMax === undefined) return c.req.text();
  requirePerson(ctx);
  return (await boundedBody(c.req.raw, bodyBytesMax, insteadOfMore)).toString('utf8');
}

/** The fields of a request. Its body may have those of the schema alone. */
function inputOf(c: HonoContext, text: string, schema?: Endpoint['input']): Record<string, unknown> {
  const fields = { ...c.req.query(), ...c.req.param() };
  if (text === '') return fields;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    throw new AppError('invalid-input', { values: { reason: 'the body is not JSON' }, cause });
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AppError('invalid-input', { values: { reason: 'the body is not a JSON object' } });
  }
  requireOneMeaning(body as Record<string, unknown>, c.req.param());
  if (schema !== undefined) requireKnownFields(schema, body);
  return { ...body, ...fields };
}

/** What a request acts on is named by its address; a body that names another is a mistake, or an attempt. */
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

/** Reports what is our own fault; a caller's mistake is reported to that caller alone. */
function reportFault(error: unknown, c: HonoContext, { errorReporter }: AppParts): void {
  if (error instanceof AppError && error.code !== 'internal') return;
  const requestId: string = c.get('requestId');
  const { userId } = currentRequest() ?? {};
  const person = userId === undefined ? undefined : { userId, email: null };
  errorReporter.report(error, { from: 'server', requestId, path: `${c.req.method} ${c.req.path}`, person });
}

/** Refuses, and says that the connection takes no further request: what is left of this one is not read. */
function lastAnswer(c: HonoContext, error: AppError, { base, region }: AppParts): Promise<Response> {
  const response = toErrorResponse(error, c.get('requestId'), base.log);
  response.headers.set('connection', 'close');
  return inItsEnvelope(c.req.path, region, response);
}

/** A fault as its kind of path tells faults. */
async function inItsEnvelope(path: string, region: string, response: Response): Promise<Response> {
  return inCallableEnvelope(path, region, await inAdminEnvelope(path, response));
}
