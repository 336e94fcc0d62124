import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Endpoint, InputOf, OutputOf } from '#contract/endpoint.ts';
import type { Config } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import { ensureLocalOwner, noBrowser, type SocialDependencies } from '#server/features/accounts/index.ts';
import { type BillingDependencies, forgetOtherMode, onBillingClosed } from '#server/features/billing/index.ts';
import { createOwnAddresses, type OwnAddresses } from '#server/features/connections/index.ts';
import { createCallMeter, grantInitialCredits } from '#server/features/credits/index.ts';
import {
  createNotices,
  createShelf,
  type LibraryNotices,
  type OpenShelf,
  releaseAllLeases,
  sweepOrphans,
  topics,
} from '#server/features/library/index.ts';
import { addPdfPart, createPdfCollector } from '#server/features/pdf-sets/index.ts';
import {
  createRepositoryCollector,
  pushedTopic,
  type RepositoryDependencies,
} from '#server/features/repositories/index.ts';
import { createSearch, type Search } from '#server/features/search/index.ts';
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
import { startPdfChores } from '#server/jobs/pdf-chores.ts';
import { startRepositoryChores } from '#server/jobs/repository-chores.ts';
import { type JobRunner, startJobRunner } from '#server/jobs/runner.ts';
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
import { createLogger } from '#server/platform/log.ts';
import { createOutbound } from '#server/platform/outbound/index.ts';
import type { SealingKeys } from '#server/platform/sealing.ts';
import { productVersion } from './product-version.ts';
import { wireBilling } from './wire-billing.ts';
import { type WiredHosting, wireHosting } from './wire-hosting.ts';
import { wireIdentity } from './wire-identity.ts';
import { openPartners } from './wire-partners.ts';
import { wireRepositories } from './wire-sources.ts';

/** Processes that read PDFs at once, however many runs there are: one that hangs leaves another. */
const pdfFilesAtOnce = 2;

export interface InstallationOptions {
  /** Take the data folder for this process alone and carry out index runs; what the process does, in words. */
  exclusive?: { purpose: string };
  /** The same, with a lock that was taken before. */
  lock?: DataFolderLock;
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
  bus: Bus;
  /** What this installation is called among applications. */
  addresses: OwnAddresses;
  errorReporter: ErrorReporter;
  calls: Call[];
  callables: CallableEntry[];
  social: SocialDependencies;
  signOn: SignOnDependencies;
  hosting: WiredHosting;
  billing: BillingDependencies;
  /** Takes a part of an upload, which is no call of JSON. */
  pdfParts: TakePdfPart;
  /** Asks an endpoint as the operator. */
  call<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<OutputOf<E>>;
  operatorContext(): Context;
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
    const db = await openDatabase(config.database, (topic, payload) => news.bus?.publish(topic, payload));
    opened.push(() => db.close());
    const parts = await openParts(config, folder.path, db, opened);
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
    const meter = createCallMeter({ publicUrl });
    const addresses = createOwnAddresses(publicUrl);
    const search = createSearch({ shelf: parts.shelf, outbound: parts.outbound, parser: parts.parsePool, meter });
    const [secret] = parts.sealingKeys;
    const { sealingKeys, outbound } = parts;
    const identity = wireIdentity(config, { publicUrl, log: parts.base.log, outbound, secret, sealingKeys });
    opened.push(() => identity.close());
    const signOn = signOnOf(config, identity.social, parts);
    const { billing } = openBilling(config, { base: parts.base, publicUrl, secret }, opened);
    const hosting = openHosting(config, { ...parts, publicUrl, notices }, opened);
    const bucketName = config.blobs.kind === 's3' ? config.blobs.bucket : 'local';
    const own = { bucketName, signOn, publicUrl, search, notices, addresses, billing, hosting };
    const wired = { ...config, ...own, ...identity, ...parts };
    const [calls, callables] = [createCalls(wired), createCallables(wired)];
    const stopRuns =
      lock === undefined
        ? async () => undefined
        : await startWork(operatorContext(), config, parts, { notices, billing, hosting });
    opened.push(stopRuns);
    return {
      config,
      publicUrl,
      ...parts,
      ...{ ownerId, search, addresses, calls, callables, signOn, hosting, billing },
      social: identity.social,
      pdfParts: (ctx, input, body) => addPdfPart(ctx, input, body, parts),
      call: (endpoint, input) => callInProcess(calls, operatorContext(), endpoint, input),
      operatorContext,
      stopRuns,
      close,
    };
  } catch (error) {
    // What went wrong first is what must be told.
    await close().catch(() => undefined);
    throw error;
  }
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

/**
 * Starts what goes on without being asked: index runs, looking at repositories, and what is due. Answers how it is stopped.
 */
async function startWork(
  ctx: Context,
  config: Config,
  parts: Parts,
  deps: { notices: LibraryNotices; billing: BillingDependencies; hosting: WiredHosting },
): Promise<() => Promise<void>> {
  const { notices, billing, hosting } = deps;
  // Before anything else: what another payment mode knew does not count.
  await forgetOtherMode(ctx, billing);
  const userAgent = userAgentOf(config);
  const { repositories, close } = wireRepositories(config, { ...parts, notices, userAgent, hosting });
  await repositories.git.sweep();
  const runner = await startRuns(ctx, config, parts, { notices, repositories });
  const repositoryChores = startRepositoryChores(ctx, repositories);
  parts.bus.subscribe(pushedTopic, () => repositoryChores.wake());
  const chores = startBillingChores(ctx, billing);
  onBillingClosed(parts.bus, () => chores.wake());
  const hostingChores = startHostingChores(ctx, hosting);
  const pdfChores = startPdfChores(ctx, parts);
  return async () => {
    await pdfChores.stop();
    await hostingChores.stop();
    await repositoryChores.stop();
    await chores.stop();
    await runner.stop();
    await close();
  };
}

/** Ends what was opened, the last first, whatever fails on the way. */
async function endAll(opened: (() => unknown)[]): Promise<void> {
  const faults: unknown[] = [];
  for (const end of opened.splice(0).reverse()) {
    try {
      await end();
    } catch (error) {
      faults.push(error);
    }
  }
  if (faults.length > 0) throw faults[0];
}

type Parts = Awaited<ReturnType<typeof openParts>>;

function signOnOf(
  { dnsServers, allowHosts }: Config,
  social: SocialDependencies,
  { outbound, sealingKeys }: Pick<Parts, 'outbound' | 'sealingKeys'>,
): SignOnDependencies {
  return { social, outbound, resolveTxt: createTxtResolver(dnsServers), sealingKeys, allowHosts };
}

async function openParts(config: Config, folderPath: string, db: Context['db'], opened: (() => unknown)[]) {
  const log = createLogger(config.logLevel);
  const blobs = await openBlobs(config.blobs);
  const bus = await openBus(config.database, log);
  opened.push(() => bus.close());
  const outbound = createOutbound({ allowHosts: config.allowHosts, userAgent: userAgentOf(config) });
  opened.push(() => outbound.close());
  const parsePool = createParsePool({ size: config.parseWorkers });
  opened.push(() => parsePool.close());
  const builds = createSegmentBuilds(config.blobs);
  opened.push(() => builds.close());
  const renderer =
    config.chromium === undefined
      ? undefined
      : createPageRenderer({
          ...{ executablePath: config.chromium, userAgent: userAgentOf(config), outbound, clock: systemClock },
        });
  opened.push(() => renderer?.close());
  const shelf = createShelf({ db, blobs });
  opened.push(() => shelf.close());
  const partners = await openPartners(config, { clock: systemClock, log, userAgent: userAgentOf(config) });
  opened.push(() => partners.close());
  const { flags, errorReporter } = partners;
  const sealingKeys: SealingKeys = config.secrets ?? [await loadOrCreateSecret(folderPath)];
  return {
    base: { db, clock: systemClock, log },
    ...{ blobs, bus, outbound, renderer, parsePool, builds, shelf, sealingKeys, flags, errorReporter },
  };
}

/** Starts carrying out runs; first what an earlier process left behind is made good. */
async function startRuns(
  ctx: Context,
  config: Config,
  parts: Parts,
  { notices, repositories }: { notices: LibraryNotices; repositories: RepositoryDependencies },
): Promise<JobRunner> {
  // With SQLite the lock on the data folder says that no other process can be carrying out a run.
  if (config.database.kind === 'sqlite') {
    await releaseAllLeases(ctx.db.query, ctx.clock.now());
    await sweepOrphans(ctx, parts.blobs);
  }
  const runner = startJobRunner(
    ctx,
    {
      ...parts,
      notices,
      onCancel: (listener) => parts.bus.subscribe(topics.cancel, listener),
      userAgent: userAgentOf(config),
      gates: new HostGates(systemClock, Math.random, config.crawlConcurrency),
      collectors: {
        git: createRepositoryCollector(repositories),
        pdf: createPdfCollector({ parser: createPdfParser({ atOnce: pdfFilesAtOnce }) }),
      },
    },
    { owner: `${hostname()}:${process.pid}:${randomUUID()}`, atOnce: 2 },
  );
  parts.bus.subscribe(topics.queued, () => runner.wake());
  return runner;
}

async function callInProcess<E extends Endpoint>(
  calls: Call[],
  ctx: Context,
  endpoint: E,
  input: InputOf<E>,
): Promise<OutputOf<E>> {
  const found = calls.find((entry) => entry.endpoint === endpoint);
  if (found === undefined) throw new Error(`no handler for ${endpoint.method} ${endpoint.path}`);
  const effects = { browser: noBrowser, setSession: () => undefined };
  // The handler's output has the endpoint's type: `call` ties the two together.
  return (await found.run(ctx, input, effects)) as OutputOf<E>;
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
