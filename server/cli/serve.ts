import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { type ErrorEnvelope, errorTable } from '#contract/errors.ts';
import * as limits from '#contract/limits.ts';
import type { Showcase } from '#contract/try-search.ts';
import { AppError } from '#server/app-error.ts';
import type { Actor, Context } from '#server/context.ts';
import { type Connections, isAccessToken } from '#server/features/connections/index.ts';
import { type Keys, rightsOf } from '#server/features/keys/index.ts';
import type { RunningJobs } from '#server/features/scheduled-jobs.ts';
import { readVocabulary } from '#server/features/search/index.ts';
import { mcpPaths } from '#server/http/admission.ts';
import { type AppParts, createApp } from '#server/http/app.ts';
import {
  endingHasty,
  endSlowBodies,
  endUnreadAnswers,
  headersMsMax,
  requestsEnder,
  slownessNoticedMs,
} from '#server/http/end-connections.ts';
import { ChangeFeed } from '#server/http/live/change-feed.ts';
import { createOauthRoutes, metadataAddressOf } from '#server/http/oauth-routes.ts';
import type { InstallationName } from '#server/http/public-face/installation-name.ts';
import { readPublicStatus } from '#server/http/public-status.ts';
import { sessionCookieName } from '#server/http/request-context.ts';
import { whoOf } from '#server/http/request-log.ts';
import { currentRequest } from '#server/http/request-record.ts';
import { pagePolicy } from '#server/http/security-headers.ts';
import { createHostingWebhook, createPaymentsWebhook, createRepositoryWebhook } from '#server/http/webhooks.ts';
import { type Installation, openInstallation } from '#server/main.ts';
import { createContext7CompatRoutes } from '#server/mcp/context7-compat.ts';
import { createMcpHandler } from '#server/mcp/http.ts';
import { createRefCompatRoutes } from '#server/mcp/ref-compat.ts';
import { onChange } from '#server/platform/bus/announce-change.ts';
import type { Config } from '#server/platform/config/config.ts';
import { prepareDataFolder } from '#server/platform/data-folder.ts';
import { acquireDataFolderLock } from '#server/platform/data-folder-lock.ts';
import { createLogger } from '#server/platform/log.ts';
import { createRangeMatcher } from '#server/platform/outbound/index.ts';
import { productVersion } from '#server/platform/product-version.ts';
import { stdioProgram } from '#server/platform/program.ts';
import { announceServer, withdrawServer } from '#server/platform/running-server.ts';
import { startTracing, traced } from '#server/platform/tracing.ts';

/** Thrown if the server could not listen; the message says what to do. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

/** Time limit for requests in progress when the server stops: the longest duration of a call. */
const requestsEndMs = limits.callTimeoutSeconds * 1000;
/** Time to store the part of an answer written so far. */
const lastWordsMs = 5_000;

export interface RunningInstallation {
  installation: Installation;
  url: string;
  port: number;
  /** Finishes requests in progress, stops runs and releases the data folder. Calling it twice is harmless. */
  close(): Promise<void>;
}

/** Enough for a URL with the longest query and the longest page address, both percent-encoded. */
const headerBytesMax = 65_536;
/**
 * Longer than proxies keep an idle connection (nginx and ALB 60 seconds, Traefik 90, Caddy 120): if the server closed
 * it first, a request sent at that moment would fail.
 */
const keepAliveMs = 125_000;
const bounds = {
  keepAliveTimeout: keepAliveMs,
  maxHeaderSize: headerBytesMax,
  headersTimeout: headersMsMax,
  connectionsCheckingInterval: slownessNoticedMs,
};

const programFolder = join(import.meta.dirname, '..', '..');
const webRoot = join(programFolder, 'dist', 'web');

/**
 * Starts an installation's server: one process with everything on one origin. `givenSocket` is the file descriptor of a
 * listening socket, in which connections wait until the process is ready.
 */
export async function serve(config: Config, givenSocket?: number): Promise<RunningInstallation> {
  const folder = await prepareDataFolder(config.dataFolder);
  const lock = await acquireDataFolderLock(folder.path, { purpose: 'the server' });
  let listener: (request: IncomingMessage, response: ServerResponse) => unknown = answerStarting;
  const server = createServer(bounds, (request, response) => void listener(request, response));
  for (const endStuck of [endSlowBodies, endUnreadAnswers]) endStuck(server);
  const endRequests = requestsEnder(server, requestsEndMs);
  const listening = givenSocket === undefined ? listen(server, config) : Promise.resolve(config.port);
  const port = await listening.catch(async (error: unknown) => {
    await lock.release();
    throw error;
  });
  const url = `http://${inAddress(reachable(config.host))}:${port}`;
  const [draining, ending] = [new AbortController(), new AbortController()];
  let installation: Installation | undefined;
  let stopTracing = async () => {};
  try {
    stopTracing = await traceIfAsked(config);
    const opened = await openInstallation(
      { ...config, port },
      { lock, publicUrl: config.publicUrl ?? url, isWorker: config.roles.includes('worker') },
    );
    installation = opened;
    await lock.setPort(port);
    const operatorToken = randomBytes(32).toString('base64url');
    const agents = createAgentInterface(opened, operatorToken);
    const mounts = [...agents.mounts, ...webhooks(opened), ...(await statusPages(opened))];
    const signals = { draining: draining.signal, ending: ending.signal };
    const app = await createServerApp(opened, operatorToken, mounts, signals);
    if (config.roles.includes('web') || config.roles.includes('mcp')) readVocabulary();
    listener = endingHasty(getRequestListener(app.fetch));
    if (givenSocket !== undefined) await listenOnGiven(server, givenSocket, port);
    // Commands use the endpoints of the role `web`; a server without them would not serve the commands.
    if (config.roles.includes('web')) {
      const host = reachable(addressOf(server)?.address ?? config.host);
      await announceServer(config.dataFolder, { pid: process.pid, host, port, operatorToken });
    }
    if (config.indexesOwnDocs && config.roles.includes('worker')) await offerOwnDocs(opened);
    const jobs = opened.startJobs('server');
    let closed: Promise<void> | undefined;
    const hasOthers = config.drainMs > 0 && givenSocket === undefined;
    const parts = {
      config,
      hasOthers,
      endRequests,
      installation: opened,
      agents,
      jobs,
      draining,
      ending,
      stopTracing,
    };
    return { installation: opened, url, port, close: () => (closed ??= close(parts)) };
  } catch (error) {
    await installation?.close();
    await stopTracing();
    server.closeAllConnections();
    server.close();
    throw error;
  }
}

/** Starts tracing if configured; returns the function that stops it. Throws TracingError. */
async function traceIfAsked({ tracing, productName, roles, logLevel, logsTo }: Config): Promise<() => Promise<void>> {
  if (tracing === undefined) return async () => undefined;
  const about = { product: productName, version: productVersion, roles };
  return startTracing(tracing, about, createLogger(logLevel, logsTo));
}

/** Indexes the product's own documentation; a failure does not stop the server. */
async function offerOwnDocs({ config, features, operatorContext }: Installation): Promise<void> {
  const ctx = operatorContext();
  try {
    await features.indexing.indexOwnDocs(ctx, { programFolder, productName: config.productName });
  } catch (error) {
    ctx.log.warn({ err: error }, "the product's own documentation was not indexed");
  }
}

/**
 * Directs new requests to other processes while still serving those that arrive and stopping runs; then waits for
 * requests in progress and closes everything.
 */
async function close(parts: {
  config: Config;
  /** True if other processes serve requests while this one stops; otherwise the next process starts only after it. */
  hasOthers: boolean;
  endRequests: () => Promise<void>;
  installation: Installation;
  agents: AgentInterface;
  jobs: RunningJobs;
  draining: AbortController;
  ending: AbortController;
  stopTracing: () => Promise<void>;
}): Promise<void> {
  await withdrawServer(parts.config.dataFolder);
  // Stop jobs first, so that the status is not measured while parts are being stopped.
  await parts.jobs.stop();
  parts.draining.abort();
  const requestsEnded = delay(parts.config.drainMs).then(() => {
    const patienceMs = parts.hasOthers ? requestsEndMs - lastWordsMs : 0;
    const timer = setTimeout(() => parts.ending.abort(), patienceMs);
    return parts.endRequests().finally(() => clearTimeout(timer));
  });
  await parts.installation.stopWork();
  await requestsEnded;
  await parts.agents.close();
  // Stop again, for calls that ended in the meantime.
  await parts.jobs.stop();
  await parts.installation.close();
  await parts.stopTracing();
}

async function createServerApp(
  installation: Installation,
  operatorToken: string,
  mounts: AppParts['mounts'],
  signals: Pick<AppParts, 'draining' | 'ending'>,
) {
  const { base, features, publicUrl, config, bus, errorReporter, metrics } = installation;
  const { productName } = config;
  const feed = new ChangeFeed({
    onChange: (listener) => onChange(bus, listener),
    onGap: (listener) => bus.onGap(listener),
  });
  const isHttps = publicUrl.startsWith('https:');
  const sessionCookie = sessionCookieName(isHttps);
  const isTrustedProxy = createRangeMatcher(config.trustedProxies);
  const tagOrigin = config.site.conversionTag === null ? undefined : new URL(config.site.conversionTag.url).origin;
  return createApp({
    base,
    authenticators: authenticatorsOf(installation, operatorToken, sessionCookie),
    calls: installation.calls,
    callables: installation.callables,
    features,
    productName,
    publicUrl,
    region: config.region,
    feed,
    about: { product: productName, version: productVersion, roles: config.roles },
    reachNeeds: async () => {
      await base.db.query.selectFrom('settings').select('name').limit(1).execute();
      await features.status.requireWrites(installation.operatorContext());
    },
    serveStatic: await openPages(installation, { sessionCookie, tagOrigin }),
    mounts,
    oauth: oauthRoutesOf(config, installation),
    isOwnOrigin: (origin, host) => origin === publicUrl || (URL.canParse(origin) && new URL(origin).host === host),
    isOwnHost: createOwnHostCheck(publicUrl),
    isHttps,
    isTrustedProxy,
    errorReporter,
    metrics,
    trace: traced,
    metricsToken: config.metricsToken,
    tagOrigin,
    roles: config.roles,
    ...signals,
  });
}

/**
 * Opens the web application and its pages. Loaded only by processes with the role `web`, because no others serve them.
 */
async function openPages(
  installation: Installation,
  { sessionCookie, tagOrigin }: { sessionCookie: string; tagOrigin: string | undefined },
): Promise<AppParts['serveStatic']> {
  const { base, features, config } = installation;
  if (!config.roles.includes('web')) return () => Promise.reject(new AppError('not-found'));
  const [{ createStaticFiles }, { readWebBuild }] = await Promise.all([
    import('#server/http/static-files.ts'),
    import('#server/http/public-face/web-build.ts'),
  ]);
  return createStaticFiles({
    root: webRoot,
    build: await readWebBuild(webRoot),
    installation: nameOf(installation),
    toMarkdown: features.site.markdownOfPage,
    showcase: () => showcaseOf(installation),
    status: () => readPublicStatus(nobody(base), features.status),
    sessionCookie,
    policyOf: (scriptHashes) => pagePolicy({ scriptHashes, tagOrigin }),
  });
}

/** Returns the name and addresses that pages show. */
function nameOf({ config, features }: Installation): InstallationName {
  return {
    productName: config.productName,
    addressAt: (host) => features.connections.addresses.at(host).issuer,
    programAt: (address) => stdioProgram(config.mcpPackage, address),
  };
}

function oauthRoutesOf({ productName, readsClientDocuments, trustedProxies }: Config, installation: Installation) {
  const { base, sealingKeys, features } = installation;
  const { addresses } = features.connections;
  const isTrustedProxy = createRangeMatcher(trustedProxies);
  return createOauthRoutes({ base, isTrustedProxy, productName, addresses, sealingKeys, readsClientDocuments });
}

/** Returns the functions that identify a request's sender. */
function authenticatorsOf(
  { features: { accounts, keys } }: Installation,
  operatorToken: string,
  sessionCookie: string,
): AppParts['authenticators'] {
  return {
    bySession: accounts.personOfWebSession,
    byIdentityToken: accounts.personOfIdentityToken,
    sessionCookie,
    byKey: async (secret) => senderOfKey(await keys.verifyApiKey(secret)),
    byOperatorToken: (token) => (isSame(token, operatorToken) ? accounts.ownerId : undefined),
  };
}

/** Returns the endpoints for events from other services, which are authenticated only by their signature. */
function webhooks({ base, errorReporter, features }: Installation): AppParts['mounts'] {
  const parts = { ...features, contextOf: () => nobody(base), errorReporter };
  return [createPaymentsWebhook(parts), createHostingWebhook(parts), createRepositoryWebhook(parts)];
}

async function statusPages({
  base,
  features: { status },
  config,
  publicUrl,
}: Installation): Promise<AppParts['mounts']> {
  if (!config.roles.includes('web')) return [];
  const { createStatusPages } = await import('#server/http/status-pages.ts');
  return createStatusPages({ status, productName: config.productName, publicUrl, nobody: () => nobody(base) });
}

/** Returns the home page's example search. Never fails: without an example the page is served anyway. */
async function showcaseOf({ base, features: { search } }: Installation): Promise<Showcase | undefined> {
  try {
    return await search.showcase(nobody(base));
  } catch (error) {
    base.log.warn({ err: error }, 'there is no search for the home page');
    return undefined;
  }
}

function nobody(base: Installation['base']): Context {
  return { ...base, actor: { kind: 'anonymous' }, workspace: null, requestId: randomUUID() };
}

interface AgentInterface {
  mounts: AppParts['mounts'];
  /** Aborts calls still in progress. */
  close(): Promise<void>;
}

/** Creates the endpoints for agents: MCP, and the calls of two third-party clients. */
function createAgentInterface(installation: Installation, operatorToken: string): AgentInterface {
  const { base, config, publicUrl, features } = installation;
  const { keys, connections, search, indexRequests } = features;
  const authenticate = async (secret: string | undefined, request: Request): Promise<Context> => {
    if (secret === undefined) throw new AppError('key-missing', { values: { address: publicUrl } });
    if (isSame(secret, operatorToken)) return recorded(installation.operatorContext());
    const key = await keys.verifyApiKey(secret);
    return recorded({ ...base, ...senderOfKey(key), ...identityOf(request) });
  };
  const allowedHosts = [hostname().toLowerCase()];
  const shared = { search, authenticate, productName: config.productName, version: productVersion };
  // Access tokens are only valid at the MCP endpoint, for which they were issued, and only in the Authorization header.
  const authenticateAgent = async (secret: string | undefined, request: Request): Promise<Context> => {
    const isInHeader = request.headers.get('authorization')?.endsWith(secret ?? '') === true;
    if (secret === undefined || !isAccessToken(secret) || !isInHeader) return authenticate(secret, request);
    const connection = await connections.verifyAccessToken(secret);
    return recorded({ ...base, ...senderOfConnection(connection), ...identityOf(request) });
  };
  const metadataAddress = (host: string) => metadataAddressOf(connections.addresses.at(host));
  const mcp = createMcpHandler({
    ...shared,
    indexing: indexRequests,
    authenticate: authenticateAgent,
    metadataAddress,
    publicUrl,
    allowedHosts,
  });
  const ref = createRefCompatRoutes(shared);
  const context7 = createContext7CompatRoutes(shared);
  // Users configure that client with the server's address, with or without /api at the end.
  const context7Mounts = ['', '/api'].flatMap((root) => [
    { path: `${root}/v2/libs/search`, method: 'GET' as const, handle: context7.searchLibraries },
    { path: `${root}/v2/context`, method: 'GET' as const, handle: context7.context },
  ]);
  const mounts = [
    ...context7Mounts,
    // Browsers send OPTIONS requests, and sessions end with DELETE.
    ...mcpPaths.map((path) => ({ path, method: 'ALL' as const, handle: mcp.handle })),
    { path: '/search_documentation', method: 'GET' as const, handle: ref.searchDocumentation },
    { path: '/read', method: 'GET' as const, handle: ref.read },
  ];
  return { mounts, close: () => mcp.close() };
}

/** Adds the sender to the request's log line. */
function recorded(ctx: Context): Context {
  const record = currentRequest();
  if (record !== undefined) record.who = whoOf(ctx.actor);
  return { ...ctx, address: record?.address };
}

function identityOf(request: Request): Pick<Context, 'requestId' | 'idempotencyKey'> {
  const idempotencyKey = request.headers.get('idempotency-key')?.slice(0, limits.idempotencyKeyCharactersMax);
  const requestId = currentRequest()?.requestId ?? randomUUID();
  return { requestId, idempotencyKey: idempotencyKey || undefined };
}

type ConnectionRow = Awaited<ReturnType<Connections['verifyAccessToken']>>;

function senderOfConnection(row: ConnectionRow): Pick<Context, 'actor' | 'workspace' | 'membership'> {
  const { userId, id: connectionId, clientName, workspace, membership } = row;
  const mayAskToIndex = row.mayAskToIndex === 1;
  return { actor: { kind: 'connection', userId, connectionId, clientName, mayAskToIndex }, workspace, membership };
}

type VerifiedKey = Awaited<ReturnType<Keys['verifyApiKey']>>;

/** Returns the sender for a key, which always acts in its own workspace. */
function senderOfKey(key: VerifiedKey): { actor: Actor & { kind: 'key' } } & Pick<Context, 'workspace' | 'membership'> {
  const { userId, id: keyId, name: keyName, clientKind, teamId, membership } = key;
  const workspace = teamId === null ? (`user:${userId}` as const) : (`team:${teamId}` as const);
  const mayAskToIndex = key.mayAskToIndex === 1;
  const rights = rightsOf(key);
  return { actor: { kind: 'key', userId, keyId, keyName, clientKind, mayAskToIndex, rights }, workspace, membership };
}

/** Accepts this server's host names. IP addresses are always accepted, because they cannot be pointed elsewhere. */
function createOwnHostCheck(publicUrl: string): (host: string) => boolean {
  const names = new Set(['localhost', hostname().toLowerCase(), new URL(publicUrl).hostname]);
  return (host) => {
    const name = host.toLowerCase().replace(/:\d+$/, '');
    return names.has(name) || isIP(name.replace(/^\[|\]$/g, '')) !== 0;
  };
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function answerStarting(_request: IncomingMessage, response: ServerResponse): void {
  const code = 'unavailable';
  const { status, sentence: message } = errorTable[code];
  const error: ErrorEnvelope['error'] = { code, message, requestId: randomUUID(), docs: `/docs/errors/${code}` };
  response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '1' });
  response.end(JSON.stringify({ ready: false, error }));
}

/** Returns the address at which this machine reaches a server listening on `host`. */
function reachable(host: string): string {
  return host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
}

function inAddress(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

function listen(server: Server, config: Config): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, config)));
    server.listen(config.port, config.host, () => resolve(addressOf(server)?.port ?? config.port));
  });
}

/** As many waiting connections as the system allows per socket. */
const backlog = 65_535;

/** Listens on a socket that the supervisor opened. Throws ListenError if its port differs from the configured one. */
async function listenOnGiven(server: Server, fd: number, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const refuse = (cause: Error) =>
      reject(new ListenError(`The server cannot listen on the given socket: ${cause.message}`, { cause }));
    server.once('error', refuse).listen({ fd, backlog }, resolve);
  });
  const given = addressOf(server)?.port;
  if (given === port) return;
  const its = given === undefined ? 'has no port' : `has port ${given}`;
  throw new ListenError(`The given socket ${its}, and the server's port is ${port}. Correct the socket or --port.`);
}

function addressOf(server: Server): AddressInfo | undefined {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address : undefined;
}

function listenError(error: NodeJS.ErrnoException, { host, port }: Config): ListenError {
  const sentences: Record<string, string> = {
    EADDRINUSE: `Port ${port} is in use. Stop what listens there, or choose another with --port.`,
    EACCES: `This account may not use port ${port}. Choose one above 1023 with --port.`,
    EADDRNOTAVAIL: `This machine has no address ${host}. Choose another with --host.`,
    ENOTFOUND: `The host name ${host} is unknown. Choose another with --host.`,
  };
  const told = sentences[error.code ?? ''] ?? `The server cannot listen on ${host}:${port}: ${error.message}`;
  return new ListenError(told, { cause: error });
}
