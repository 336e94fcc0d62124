import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { statusCacheSeconds } from '#contract/status.ts';
import type { Config } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import { getQueueFigures, type OpenShelf } from '#server/features/library/index.ts';
import { createSearch, type Search } from '#server/features/search/index.ts';
import {
  createAnswerCache,
  createLatencyCounts,
  databaseProbe,
  filesProbe,
  jobsProbe,
  type LatencyCounts,
  measureSearch,
  type Probe,
  partnerProbe,
  type Sampling,
  type StatusDependencies,
  searchProbe,
} from '#server/features/status/index.ts';
import { startStatusChores } from '#server/jobs/status-chores.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';
import { apiUrlOf } from '#server/platform/code-host/github/github-config.ts';
import { createTxtResolver } from '#server/platform/dns/resolve-txt.ts';
import type { Mailer } from '#server/platform/mail/mailer.ts';
import { openMailer } from '#server/platform/mail/open-mailer.ts';
import { readMailQueue } from '#server/platform/mail/waiting-mails.ts';
import type { Metrics } from '#server/platform/metrics.ts';
import { createOutbound, type Outbound } from '#server/platform/outbound/index.ts';

/** A mail that was not taken for so long was refused several times. */
const longWaitMs = 10 * 60_000;
/** A name that every name server can say something about. */
const askedName = 'example.com';

export interface WiredStatus {
  status: StatusDependencies;
  /** The search whose calls are counted. */
  measured: Search;
  /** Says how to find out whether index runs are carried out here. */
  watchRuns(isAlive: () => boolean): void;
  /** Looks every minute from now on; only a process that serves does. Answers how it is stopped. */
  start(ctx: Context): { stop(): Promise<void> };
  close(): Promise<void>;
}

/** Composes what the status is measured with: a probe of each part that is configured. */
export function wireStatus(
  config: Config,
  parts: {
    base: Pick<Context, 'clock' | 'db'>;
    blobs: Blobs;
    shelf: OpenShelf;
    search: Search;
    userAgent: string;
    metrics: Metrics;
  },
): WiredStatus {
  const { base, blobs, shelf, search, userAgent, metrics } = parts;
  const process = randomBytes(4).toString('hex');
  const partners = openPartnerProbes(config, userAgent);
  const counts = createLatencyCounts(() => base.clock.now());
  const latency: LatencyCounts = {
    ...counts,
    record(kind, tookMs, isError) {
      counts.record(kind, tookMs, isError);
      metrics.call(kind, tookMs, isError);
    },
  };
  let isRunnerAlive = () => false;
  const probes = [
    // A search of its own: it has no meter and is not counted.
    searchProbe(createSearch({ shelf }), shelf),
    databaseProbe(),
    filesProbe(blobs, process),
    // Elsewhere it would say that nobody looks for runs.
    ...(config.roles.includes('worker') ? [jobsProbe(() => isRunnerAlive())] : []),
    ...partners.probes,
  ];
  const status = {
    sampling: {
      process,
      probes,
      latency,
      pending: [],
      last: new Map(),
      recent: new Map(),
      elsewhere: ['jobs'] as const,
    },
    cache: createAnswerCache(statusCacheSeconds * 1_000),
  };
  metrics.readFrom({ queue: () => queueOf(base), parts: () => valuesOf(status.sampling) });
  return {
    status,
    measured: measureSearch(search, latency),
    watchRuns(isAlive) {
      isRunnerAlive = isAlive;
    },
    start: (ctx) => startStatusChores(ctx, status.sampling),
    close: () => partners.close(),
  };
}

async function queueOf(base: Pick<Context, 'clock' | 'db'>) {
  const { waiting, running, oldestWaitingSince } = await getQueueFigures(base);
  const waitedMs = oldestWaitingSince === null ? 0 : base.clock.now() - oldestWaitingSince;
  return { waiting, running, oldestWaitSeconds: Math.max(0, waitedMs / 1_000) };
}

function* valuesOf({ last }: Sampling): Iterable<readonly [string, number]> {
  const values = { good: 1, impaired: 0.5, bad: 0 };
  for (const [part, outcome] of last) yield [part, values[outcome]];
}

/** The mail server answers; mails that it has not taken for a while say that it does not do its work all the same. */
function mailProbe(mailer: Mailer): Probe {
  return {
    part: 'mail',
    async run({ db, clock }) {
      await mailer.check();
      const { oldestAt } = await readMailQueue(db.query);
      return oldestAt !== null && clock.now() - oldestAt > longWaitMs ? 'impaired' : 'good';
    },
  };
}

/** What is not configured is not looked at. */
function openPartnerProbes(config: Config, userAgent: string): { probes: Probe[]; close(): Promise<void> } {
  const { mail, payments, codeHost, dnsServers, chromium } = config;
  const addresses = {
    payments: payments.kind === 'stripe' ? payments.url : undefined,
    'code-host': codeHost && apiUrlOf(codeHost.url),
  };
  // Whoever runs the installation named these hosts, so they may be private; what people have indexed may not reach them.
  const allowHosts = Object.values(addresses).flatMap((address) => (address === undefined ? [] : [hostOf(address)]));
  const outbound = createOutbound({ allowHosts, userAgent });
  const mailer = mail.kind === 'smtp' ? openMailer(mail) : undefined;
  const probes: Probe[] = [];
  if (mailer !== undefined) probes.push(mailProbe(mailer));
  for (const part of ['payments', 'code-host'] as const) {
    const address = addresses[part];
    if (address !== undefined) probes.push(partnerProbe(part, () => requireAnswer(outbound, address)));
  }
  if (dnsServers.length > 0) {
    const resolveTxt = createTxtResolver(dnsServers);
    probes.push(partnerProbe('name-servers', () => resolveTxt(askedName)));
  }
  if (chromium !== undefined) probes.push(partnerProbe('renderer', () => access(chromium, constants.X_OK)));
  return {
    probes,
    async close() {
      await mailer?.close();
      await outbound.close();
    },
  };
}

/** Who answers at all is there, whatever the answer; unless it says itself that it is not well. */
async function requireAnswer(outbound: Outbound, address: string): Promise<void> {
  const { status } = await outbound.request(address, { redirectsMax: 0, onHead: () => 'stop' });
  if (status >= 500) throw new Error(`answered with status ${status}`);
}

function hostOf(address: string): string {
  const { protocol, hostname, port } = new URL(address);
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}
