import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Endpoint, InputOf, OutputOf } from '#contract/endpoint.ts';
import type { Config } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import {
  type AccountDeletion,
  ensureLocalOwner,
  replayErasures,
  type SocialDependencies,
} from '#server/features/accounts/index.ts';
import { type BillingDependencies, forgetOtherMode, onBillingClosed } from '#server/features/billing/index.ts';
import type { ChatDependencies } from '#server/features/chat/index.ts';
import { createOwnAddresses, type OwnAddresses } from '#server/features/connections/index.ts';
import { type CallMeter, createCallMeter, grantInitialCredits } from '#server/features/credits/index.ts';
import {
  createNotices,
  createShelf,
  type LibraryNotices,
  type OpenShelf,
  releaseAllLeases,
  topics,
} from '#server/features/library/index.ts';
import { addPdfPart, createPdfCollector } from '#server/features/pdf-sets/index.ts';
import {
  createRepositoryCollector,
  pushedTopic,
  type RepositoryDependencies,
} from '#server/features/repositories/index.ts';
import type { Search } from '#server/features/search/index.ts';
import type { SignOnDependencies } from '#server/features/sign-on/index.ts';
import type { TakePdfPart } from '#server/http/add-pdf-parts.ts';
import type { Call } from '#server/http/call-table.ts';
import { createCallables } from '#server/http/callables.ts';
import { createCalls } from '#server/http/calls.ts';
import type { CallableEntry } from '#server/http/tie-callable.ts';
import { createSegmentBuilds } from '#server/ingest/build/segment-builds.ts';
import { HostGates } from '#server/ingest/crawl/index.ts';
import { createParsePool } from '#server/ingest/parse/index.ts';
import { createPdfParser } from '#server/ingest/pdf/index.ts';
import { startBillingChores } from '#server/jobs/billing-chores.ts';
import { startHostingChores } from '#server/jobs/hosting-chores.ts';
import { startMailChores } from '#server/jobs/mail-chores.ts';
import { startPdfChores } from '#server/jobs/pdf-chores.ts';
import { startRepositoryChores } from '#server/jobs/repository-chores.ts';
import { type JobRunner, startJobRunner } from '#server/jobs/runner.ts';
import { describeAgentSurface } from '#server/mcp/agent-surface.ts';
import { type Blobs, openBlobs } from '#server/platform/blobs/index.ts';
import { createPageRenderer } from '#server/platform/browser/page-renderer.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import { openBus } from '#server/platform/bus/open-bus.ts';
import { systemClock } from '#server/platform/clock.ts';
import { loadOrCreateSecret, prepareDataFolder } from '#server/platform/data-folder.ts';
import { acquireDataFolderLock, type DataFolderLock } from '#server/platform/data-folder-lock.ts';
import { openDatabase } from '#server/platform/db/open-database.ts';
import { createTxtResolver } from '#server/platform/dns/resolve-txt.ts';
import type { ErrorReporter } from '#server/platform/error-reports/error-reporter.ts';
import { createFailPoint, type FailPoint } from '#server/platform/fail-point.ts';
import { createLogger } from '#server/platform/log.ts';
import { createMetrics, type Metrics } from '#server/platform/metrics.ts';
import { createOutbound } from '#server/platform/outbound/index.ts';
import type { SealingKeys } from '#server/platform/sealing.ts';
import { callInProcess } from './call-in-process.ts';
import { endAll } from './end-all.ts';
import type { Indexing } from './mcp/index-source.ts';
import { productVersion } from './product-version.ts';
import { wireBilling } from './wire-billing.ts';
import { wireChat } from './wire-chat.ts';
import { startClusterWork, wireCluster } from './wire-cluster.ts';
import { examineInstallation, type Irregularity } from './wire-examination.ts';
import { type WiredHosting, wireHosting } from './wire-hosting.ts';
import { type Identity, wireIdentity } from './wire-identity.ts';
import { wireIndexing } from './wire-indexing.ts';
import { startMeaningWork, wireMeaning } from './wire-meaning.ts';
import { openPartners } from './wire-partners.ts';
import { wireProductDocs } from './wire-product-docs.ts';
import { openRegistries } from './wire-registries.ts';
import { wireSearch } from './wire-search.ts';
import { wireRepositories } from './wire-sources.ts';
import { type WiredStatus, wireStatus } from './wire-status.ts';
import { requireStoreOf, type StoreWork, settleStore, startStoreWork } from './wire-store.ts';

/** Processes that read PDFs at once, however many runs there are: one that hangs leaves another. */
const pdfFilesAtOnce = 2;

export interface InstallationOptions {
  /** Take the data folder for this process alone and carry out index runs; what the process does, in words. */
  exclusive?: { purpose: string };
  /** The same, with a lock that was taken before. */
  lock?: DataFolderLock;
  /** Whether index runs and chores are carried out here; otherwise another process of the installation does it. */
  isWorker?: boolean;
  /** Where people reach the server, when it is known by now. */
  publicUrl?: string;
}

/** Everything of one installation, opened and wired, in this process. */
export interface Installation {
  config: Config;
  publicUrl: string;
  base: Omit<Context, 'actor' | 'workspace' | 'requestId'>;
  ownerId: string;
  sealingKeys: SealingKeys;
  blobs: Blobs;
  shelf: OpenShelf;
  search: Search;
  meter: CallMeter;
  indexing: Indexing;
  chat: ChatDependencies;
  bus: Bus;
  /** What this installation is called among applications. */
  addresses: OwnAddresses;
  errorReporter: ErrorReporter;
  failPoint: FailPoint | undefined;
  calls: Call[];
  callables: CallableEntry[];
  social: SocialDependencies;
  signOn: SignOnDependencies;
  hosting: WiredHosting;
  billing: BillingDependencies;
  status: WiredStatus;
  metrics: Metrics;
  /** Takes a part of an upload, which is no call of JSON. */
  pdfParts: TakePdfPart;
  /** Asks an endpoint as the operator. */
  call<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<OutputOf<E>>;
  operatorContext(): Context;
  /** Looks for whatever is not as it must be; changes nothing. */
  examine(): AsyncIterable<Irregularity>;
  /** Stops runs; they are taken up again next time. */
  stopRuns(): Promise<void>;
  /** Stops runs and closes everything, in order, whatever fails on the way. */
  close(): Promise<void>;
}

/** Opens an installation: the composition root. Throws DataFolderError, DatabaseError or BlobError with what to do. */
export async function openInstallation(config: Config, options: InstallationOptions = {}): Promise<Installation> {
  const folder = await prepareDataFolder(config.dataFolder);
  const opened: (() => unknown)[] = [];
  const close = () => endAll(opened);
  try {
    const lock =
      options.lock ?? (options.exclusive ? await acquireDataFolderLock(folder.path, options.exclusive) : undefined);
    opened.push(() => lock?.release());
    const news: { bus?: Bus } = {};
    const failPoint = config.failPoint === undefined ? undefined : createFailPoint(config.failPoint);
    const db = await openDatabase(config.database, (topic, payload) => news.bus?.publish(topic, payload), failPoint);
    opened.push(() => db.close());
    const parts = await openParts(config, folder.path, { db, failPoint, isExclusive: lock !== undefined }, opened);
    news.bus = parts.bus;
    const publicUrl = options.publicUrl ?? config.publicUrl ?? localUrl(config.host, config.port);
    const ownerId = await ensureLocalOwner(db, systemClock);
    await db.transaction((tx) => grantInitialCredits(tx, ownerId, systemClock.now()));
    const operatorContext = (): Context => ({
      ...parts.base,
      actor: { kind: 'operator', userId: ownerId },
      workspace: `user:${ownerId}`,
      requestId: randomUUID(),
    });
    const notices = createNotices(parts.bus, systemClock);
    const addresses = createOwnAddresses(publicUrl);
    const { chat, wiredStatus, meter } = openAnswers(config, { ...parts, publicUrl }, opened);
    const { status, measured: search } = wiredStatus;
    const { sealingKeys, outbound } = parts;
    const [secret] = sealingKeys;
    const identity = wireIdentity(config, { base: parts.base, publicUrl, outbound, secret, sealingKeys });
    opened.push(() => identity.close());
    const signOn = signOnOf(config, identity.social, parts);
    const { billing } = openBilling(config, { base: parts.base, publicUrl, secret }, opened);
    const hosting = openHosting(config, { ...parts, publicUrl, notices }, opened);
    const bucketName = config.blobs.kind === 's3' ? config.blobs.bucket : 'local';
    const own = { bucketName, signOn, publicUrl, search, meter, chat, notices, addresses, billing, hosting, status };
    const wired = { ...config, ...own, ...identity, ...parts, ...selfDescription(config, publicUrl) };
    const [calls, callables] = [createCalls(wired), createCallables(wired)];
    if (lock !== undefined) await settleThePast(operatorContext(), billing, identity.accountDeletion);
    const isWorker = lock !== undefined && options.isWorker !== false;
    const work = { notices, billing, hosting, status: wiredStatus, lastingMails: identity.lastingMails, isWorker };
    const stopRuns = await startWork(operatorContext(), config, parts, work);
    opened.push(stopRuns);
    return {
      config,
      publicUrl,
      ...parts,
      indexing: wireIndexing({ notices, publicUrl, allowHosts: config.allowHosts }),
      ...{ ownerId, search, meter, chat, addresses, calls, callables, signOn, hosting, billing, status: wiredStatus },
      social: identity.social,
      pdfParts: (ctx, input, body) => addPdfPart(ctx, input, body, parts),
      call: (endpoint, input) => callInProcess(calls, operatorContext(), endpoint, input),
      ...{ operatorContext, examine: () => examineInstallation(operatorContext(), parts) },
      ...{ stopRuns, close },
    };
  } catch (error) {
    // What went wrong first is what must be told.
    await close().catch(() => undefined);
    throw error;
  }
}

/** The search of this installation, and what its status is measured with. */
function openStatus(config: Config, parts: Parts, meter: CallMeter, opened: (() => unknown)[]): WiredStatus {
  const { log } = parts.base;
  const search = wireSearch(config, { ...parts, parser: parts.parsePool, meter, log }, opened);
  const wired = wireStatus(config, { ...parts, search, userAgent: userAgentOf(config) });
  opened.push(() => wired.close());
  return wired;
}

/** What an installation tells of itself: its tools, its calls and its documentation. */
function selfDescription(config: Config, publicUrl: string) {
  return { agentSurface: describeAgentSurface(config.productName), ...wireProductDocs(config, publicUrl) };
}

/** Whatever answers from the index, all of it charged by one meter. */
function openAnswers(config: Config, parts: Parts & { publicUrl: string }, opened: (() => unknown)[]) {
  const meter = createCallMeter({ publicUrl: parts.publicUrl, isFree: !config.areCreditsOn });
  const wiredStatus = openStatus(config, parts, meter, opened);
  const { shelf, meaning } = parts;
  const wired = wireChat(config, { shelf, meaning, meter, userAgent: userAgentOf(config) });
  opened.push(() => wired.close());
  return { chat: wired.chat, wiredStatus, meter };
}

function openBilling(
  config: Config,
  parts: Omit<Parameters<typeof wireBilling>[1], 'userAgent'>,
  opened: (() => unknown)[],
) {
  const wired = wireBilling(config, { ...parts, userAgent: userAgentOf(config) });
  opened.push(() => wired.close());
  return wired;
}

function openHosting(
  config: Config,
  parts: Omit<Parameters<typeof wireHosting>[1], 'userAgent'>,
  opened: (() => unknown)[],
): WiredHosting {
  const wired = wireHosting(config, { ...parts, userAgent: userAgentOf(config) });
  opened.push(() => wired.close());
  return wired.hosting;
}

/** Before anybody is answered: rows of another time may know what does not count any more. */
async function settleThePast(ctx: Context, billing: BillingDependencies, deletion: AccountDeletion): Promise<void> {
  await forgetOtherMode(ctx, billing);
  // A backup that was put back brings people back who were deleted since.
  await replayErasures(ctx, deletion);
}

/**
 * Starts what goes on without being asked, in a worker: index runs, looking at repositories, and what is due. Answers how it is
 * stopped.
 */
async function startWork(
  ctx: Context,
  config: Config,
  parts: Parts,
  deps: {
    notices: LibraryNotices;
    billing: BillingDependencies;
    hosting: WiredHosting;
    status: WiredStatus;
    lastingMails: Identity['lastingMails'];
    isWorker: boolean;
  },
): Promise<() => Promise<void>> {
  const { notices, billing, hosting } = deps;
  // Only whoever has the data folder for itself has claimed the store.
  if (!deps.isWorker || parts.storeId === undefined) return async () => undefined;
  const userAgent = userAgentOf(config);
  const { repositories, close } = wireRepositories(config, { ...parts, notices, userAgent, hosting });
  await repositories.git.sweep();
  const storeWork = startStoreWork(ctx, parts.blobs, parts.storeId);
  const runner = await startRuns(ctx, config, parts, { notices, repositories, storeWork });
  deps.status.watchRuns(() => runner.isAlive());
  const repositoryChores = startRepositoryChores(ctx, repositories);
  parts.bus.subscribe(pushedTopic, () => repositoryChores.wake());
  const chores = startBillingChores(ctx, billing);
  onBillingClosed(parts.bus, () => chores.wake());
  const hostingChores = startHostingChores(ctx, hosting);
  const pdfChores = startPdfChores(ctx, { ...parts, ...storeWork });
  const mailChores = deps.lastingMails && startMailChores(ctx, deps.lastingMails);
  const clusterWork = startClusterWork(ctx, parts);
  const meaningWork = startMeaningWork(ctx, parts);
  return async () => {
    await meaningWork.stop();
    await clusterWork.stop();
    await mailChores?.stop();
    await pdfChores.stop();
    await hostingChores.stop();
    await repositoryChores.stop();
    await chores.stop();
    await runner.stop();
    await storeWork.stop();
    await close();
  };
}

type Parts = Awaited<ReturnType<typeof openParts>>;

function signOnOf(
  { dnsServers, allowHosts }: Config,
  social: SocialDependencies,
  { outbound, sealingKeys }: Pick<Parts, 'outbound' | 'sealingKeys'>,
): SignOnDependencies {
  return { social, outbound, resolveTxt: createTxtResolver(dnsServers), sealingKeys, allowHosts };
}

async function openParts(
  config: Config,
  folderPath: string,
  { db, failPoint, isExclusive }: { db: Context['db']; failPoint: FailPoint | undefined; isExclusive: boolean },
  opened: (() => unknown)[],
) {
  const log = createLogger(config.logLevel, config.logsTo);
  const base = { db, clock: systemClock, log };
  const blobs = await openBlobs(config.blobs, failPoint);
  if (!isExclusive) await requireStoreOf(base, blobs);
  const storeId = isExclusive ? (await settleStore(base, blobs)).id : undefined;
  const bus = await openBus(config.database, log);
  opened.push(() => bus.close());
  const outbound = createOutbound({ allowHosts: config.allowHosts, userAgent: userAgentOf(config) });
  opened.push(() => outbound.close());
  const registries = openRegistries(config, { outbound, userAgent: userAgentOf(config) });
  opened.push(() => registries.close());
  const parsePool = createParsePool({ size: config.parseWorkers });
  opened.push(() => parsePool.close());
  const builds = createSegmentBuilds(config.blobs, { failPoint });
  opened.push(() => builds.close());
  const renderer =
    config.chromium === undefined
      ? undefined
      : createPageRenderer({
          ...{ executablePath: config.chromium, userAgent: userAgentOf(config), outbound, clock: systemClock },
        });
  opened.push(() => renderer?.close());
  const { cluster, large } = await wireCluster(config, { db, log, clock: systemClock });
  opened.push(() => cluster?.close());
  const shelf = createShelf({ db, blobs, large });
  opened.push(() => shelf.close());
  const { meaning, embeddingModel, close } = wireMeaning(config, { blobs, userAgent: userAgentOf(config) });
  opened.push(close);
  const partners = await openPartners(config, { clock: systemClock, log, userAgent: userAgentOf(config) });
  opened.push(() => partners.close());
  const { flags, errorReporter } = partners;
  const sealingKeys: SealingKeys = config.secrets ?? [await loadOrCreateSecret(folderPath)];
  return {
    ...{ base, storeId, metrics: createMetrics({ version: productVersion, roles: config.roles }) },
    failPoint,
    registries,
    ...{ blobs, bus, cluster, outbound, renderer, parsePool, builds, shelf, sealingKeys, flags, errorReporter },
    ...{ meaning, embeddingModel },
  };
}

/** Starts carrying out runs; first what an earlier process left behind is made good. */
async function startRuns(
  ctx: Context,
  config: Config,
  parts: Parts,
  {
    notices,
    repositories,
    storeWork,
  }: { notices: LibraryNotices; repositories: RepositoryDependencies; storeWork: StoreWork },
): Promise<JobRunner> {
  // With SQLite the lock on the data folder says that no other process can be carrying out a run.
  if (config.database.kind === 'sqlite') {
    await releaseAllLeases(ctx.db.query, ctx.clock.now());
  }
  const pdfParser = createPdfParser({ atOnce: pdfFilesAtOnce });
  const runner = startJobRunner(
    ctx,
    {
      ...parts,
      ...{ notices, pdfParser },
      onCancel: (listener) => parts.bus.subscribe(topics.cancel, listener),
      userAgent: userAgentOf(config),
      gates: new HostGates(systemClock, Math.random, config.crawlConcurrency),
      collectors: {
        git: createRepositoryCollector(repositories),
        pdf: createPdfCollector({ parser: pdfParser }),
      },
    },
    { owner: `${hostname()}:${process.pid}:${randomUUID()}`, atOnce: 2, mayDelete: storeWork.mayDelete },
  );
  parts.bus.subscribe(topics.queued, () => runner.wake());
  return runner;
}

/** Names the product and where to learn about it, as crawlers do; robots.txt groups match on the first word. */
function userAgentOf(config: Config): string {
  const name = config.productName.replace(/[^A-Za-z]+/g, '');
  return `${name}Bot/${productVersion} (+${config.publicUrl ?? 'self-hosted'})`;
}

function localUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
