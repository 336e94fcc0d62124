import { randomBytes } from 'node:crypto';
import { type BackgroundWork, createBackgroundWork } from './background-work.ts';
import { type Blobs, openBlobs } from './blobs/index.ts';
import { guardBlobs } from './blobs/trash.ts';
import type { Bus } from './bus/bus.ts';
import { openBus } from './bus/open-bus.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Config } from './config/config.ts';
import { hasSecret, loadOrCreateSecret, prepareDataFolder, requireRestored, secretMissing } from './data-folder.ts';
import { acquireDataFolderLock, type DataFolderLock } from './data-folder-lock.ts';
import type { Database } from './db/database.ts';
import { openDatabase, type Publish } from './db/open-database.ts';
import type { ErrorReporter } from './error-reports/error-reporter.ts';
import { openErrorReporter } from './error-reports/open-error-reporter.ts';
import { createFailPoint, type FailPoint } from './fail-point.ts';
import { type Flags, openFlags } from './flags/open-flags.ts';
import { createLogger, type Logger } from './log.ts';
import { type LastingMailer, lastingMailer } from './mail/lasting-mailer.ts';
import { createLetters, type SendLetter } from './mail/letter.ts';
import { openMailer } from './mail/open-mailer.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { createOutbound, type Outbound } from './outbound/index.ts';
import { productVersion } from './product-version.ts';
import type { SealingKeys } from './sealing.ts';
import { type Claim, createClaim, readInstallationId, storeClaimable } from './store-claim.ts';

/** The ports that all features receive; each is opened once. */
export interface Platform {
  config: Config;
  db: Database;
  clock: Clock;
  log: Logger;
  /** Public address of the server. */
  publicUrl: string;
  /** User agent for requests to other sites. */
  userAgent: string;
  /** The first key encrypts, all keys decrypt. */
  sealingKeys: SealingKeys;
  blobs: Blobs;
  /** Shows whether this database owns the file store; otherwise `blobs` deletes nothing. */
  storeClaim: Claim;
  bus: Bus;
  /** Sends requests on behalf of users; reaches only public addresses and the hosts of `allowHosts`. */
  outbound: Outbound;
  /**
   * Creates a client for addresses that the operator configured, which may be private; it reaches no other addresses.
   */
  outboundTo(addresses: readonly (string | undefined)[], limits?: OutboundLimits): Outbound;
  letters: SendLetter;
  /** Undefined if mails are kept instead of sent. */
  lastingMails: LastingMailer | undefined;
  background: BackgroundWork;
  flags: Flags;
  errorReporter: ErrorReporter;
  metrics: Metrics;
  failPoint: FailPoint | undefined;
  /** True if this process has exclusive use of the data folder. */
  isExclusive: boolean;
  /** Calls `listener` after each write that fails because a disk is full. */
  onFullDisk(listener: () => void): void;
  /** Closes everything that was opened, the last first. */
  scope: AsyncDisposableStack;
}

type OutboundLimits = Parameters<typeof createOutbound>[0]['limits'];

export interface PlatformOptions {
  /** Locks the data folder for this process; contains the process's purpose in words. */
  exclusive?: Parameters<typeof acquireDataFolderLock>[1];
  /** Same, with a lock that the caller has taken; the platform releases it. */
  lock?: DataFolderLock;
  /** Public address of the server, if already known. */
  publicUrl?: string;
  /**
   * Behaviour if the installation's secret is missing: `make` creates a new one, `look` opens the rest without one;
   * otherwise an error.
   */
  missingSecret?: 'make' | 'look';
}

/** Opens the configured ports. Throws DataFolderError, DatabaseError or BlobError; their messages say what to do. */
export async function openPlatform(
  config: Config,
  options: PlatformOptions,
  scope: AsyncDisposableStack,
): Promise<Platform> {
  const folder = await prepareDataFolder(config.dataFolder);
  const lock = options.lock ?? (options.exclusive && (await acquireDataFolderLock(folder.path, options.exclusive)));
  scope.defer(() => lock?.release());
  if (config.database.kind === 'sqlite') requireRestored(folder.path);
  const failPoint = config.failPoint === undefined ? undefined : createFailPoint(config.failPoint);
  const later: { bus?: Bus } = {};
  const disk = createDiskWatch();
  const publish: Publish = (topic, payload) => later.bus?.publish(topic, payload);
  const db = disk.ofDatabase(await openDatabase(config.database, publish, failPoint));
  scope.defer(() => db.close());
  const [clock, log] = [systemClock, createLogger(config.logLevel, config.logsTo)];
  const store = await openBlobs(config.blobs, { failPoint, isFirst: lock !== undefined });
  const storeClaim = createClaim({ db, clock }, storeClaimable(store, config.blobs));
  const blobs = disk.ofBlobs(guardBlobs(store, () => storeClaim.isOwn()));
  const bus = await openBus(config.database, log);
  later.bus = bus;
  scope.defer(() => bus.close());
  const publicUrl = options.publicUrl ?? config.publicUrl ?? localUrl(config);
  const userAgent = userAgentOf(config);
  const outboundWith = (allowHosts: string[], limits?: OutboundLimits): Outbound => {
    const outbound = createOutbound({ allowHosts, userAgent, ...(limits && { limits }) });
    scope.defer(() => outbound.close());
    return outbound;
  };
  const outbound = outboundWith(config.allowHosts);
  const outboundTo: Platform['outboundTo'] = (addresses, limits) =>
    outboundWith(
      addresses.flatMap((address) => (address === undefined ? [] : [hostOf(address)])),
      limits,
    );
  const sealingKeys: SealingKeys = config.secrets ?? [await secretOf(folder.path, db, options.missingSecret)];
  const mails = openMails(config, { db, clock, log, sealingKeys, publicUrl }, scope);
  const partners = await openPartners(config, { clock, log, outboundTo }, scope);
  return {
    config,
    db,
    clock,
    log,
    publicUrl,
    userAgent,
    sealingKeys,
    blobs,
    storeClaim,
    bus,
    outbound,
    outboundTo,
    ...mails,
    ...partners,
    metrics: createMetrics({ version: productVersion, roles: config.roles }),
    failPoint,
    isExclusive: lock !== undefined,
    onFullDisk: disk.onFullDisk,
    scope,
  };
}

/** Returns the data folder's secret, which is created with a new installation. Throws DataFolderError. */
async function secretOf(
  folder: string,
  db: Database,
  missingSecret: PlatformOptions['missingSecret'],
): Promise<Uint8Array> {
  // Read the id first: of several concurrent first starts, the one that created the id had created the secret before.
  const isNew = (await readInstallationId(db)) === undefined;
  if (missingSecret === 'look' && !hasSecret(folder)) return randomBytes(32);
  if (missingSecret === undefined && !isNew && !hasSecret(folder)) throw secretMissing();
  return loadOrCreateSecret(folder);
}

/** Opens the mailer. Mails that the mail server does not accept are sent again later. */
function openMails(
  { mail, productName }: Config,
  parts: Pick<Platform, 'db' | 'clock' | 'log' | 'sealingKeys' | 'publicUrl'>,
  scope: AsyncDisposableStack,
): Pick<Platform, 'letters' | 'lastingMails' | 'background'> {
  const direct = openMailer(mail);
  const lastingMails = mail.kind === 'smtp' ? lastingMailer({ ...parts, mailer: direct }) : undefined;
  const mailer = lastingMails ?? direct;
  scope.defer(() => mailer.close());
  const background = createBackgroundWork(parts.log);
  scope.defer(() => background.settled());
  return { letters: createLetters({ mailer, productName, publicUrl: parts.publicUrl }), lastingMails, background };
}

/** Opens external services of the operator: feature flags and error reports. */
async function openPartners(
  config: Config,
  { clock, log, outboundTo }: Pick<Platform, 'clock' | 'log' | 'outboundTo'>,
  scope: AsyncDisposableStack,
): Promise<Pick<Platform, 'flags' | 'errorReporter'>> {
  const { environment, flags: flagsConfig, errorReports } = config;
  const outbound = outboundTo([
    flagsConfig.kind === 'remote' ? flagsConfig.url : undefined,
    errorReports.kind === 'sentry' ? errorReports.dsn : undefined,
  ]);
  const flags = await openFlags(flagsConfig, { outbound, log, environment });
  const errorReporter = openErrorReporter(errorReports, { clock, log, outbound, environment, release: productVersion });
  scope.defer(() => errorReporter.close());
  return { flags, errorReporter };
}

/** Returns an address's host and port in the form of `allowHosts`. */
function hostOf(address: string): string {
  const { protocol, hostname, port } = new URL(address);
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}

/** Names the product and an address with more information, as crawlers do; robots.txt groups match the first word. */
function userAgentOf({ productName, publicUrl }: Config): string {
  const name = productName.replace(/[^A-Za-z]+/g, '');
  return `${name}Bot/${productVersion} (+${publicUrl ?? 'self-hosted'})`;
}

function localUrl({ host, port }: Config): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Creates a watch that reports each write to a full disk, so that the status does not wait for its next check. */
function createDiskWatch() {
  const listeners: (() => void)[] = [];
  const watched = <T>(writing: Promise<T>): Promise<T> =>
    writing.catch((error: unknown) => {
      if ((error as { code?: unknown }).code === 'disk-full') for (const listener of listeners) listener();
      throw error;
    });
  return {
    onFullDisk: (listener: () => void) => void listeners.push(listener),
    ofDatabase: (db: Database): Database => ({
      ...db,
      transaction: (body, options) => watched(db.transaction(body, options)),
    }),
    ofBlobs: (blobs: Blobs): Blobs => ({ ...blobs, put: (key, content) => watched(blobs.put(key, content)) }),
  };
}
