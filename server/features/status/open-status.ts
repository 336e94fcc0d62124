import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { type Incident, statusCacheSeconds, statusEndpoints } from '#contract/status.ts';
import type { Context } from '#server/context.ts';
import type { Catalog } from '#server/features/catalog/index.ts';
import { getQueueFigures, type Indexing } from '#server/features/indexing/index.ts';
import { apiUrlOf } from '#server/platform/code-host/github/github-oauth.ts';
import { createTxtResolver } from '#server/platform/dns/resolve-txt.ts';
import { readMailQueue } from '#server/platform/mail/lasting-mailer.ts';
import type { Mailer } from '#server/platform/mail/mailer.ts';
import { openMailer } from '#server/platform/mail/open-mailer.ts';
import type { Platform } from '#server/platform/open-platform.ts';
import type { Outbound } from '#server/platform/outbound/index.ts';
import { bind, feature, serve } from '../feature.ts';
import type { ScheduledJob } from '../scheduled-jobs.ts';
import { createSearch, type SearchFeature } from '../search/index.ts';
import { createAnswerCache } from './answer-cache.ts';
import type { StatusDependencies } from './dependencies.ts';
import { getStatus, getStatusHistory } from './get-status.ts';
import { getStatusLatency } from './get-status-latency.ts';
import { listIncidents, openIncident, resolveIncident, updateIncident } from './incidents.ts';
import { createLatencyCounts } from './latency-counts.ts';
import { measureStatus, type Probe, partValues, type Sampling, writeSamples } from './measure-status.ts';
import {
  clusterProbe,
  databaseProbe,
  filesProbe,
  jobsProbe,
  partnerProbe,
  removeOldProbeFiles,
  searchProbe,
  secretProbe,
} from './probes.ts';
import { pruneStatus } from './prune-status.ts';

export type Status = ReturnType<typeof openStatus>;

/** A mail waiting this long has been refused several times. */
const longWaitMs = 10 * 60_000;
/** A name that every name server can resolve. */
const askedName = 'example.com';
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

interface Below {
  catalog: Catalog;
  indexing: Pick<Indexing, 'isRunnerAlive'>;
  search: SearchFeature;
  maintenance: { isOurSecret(ctx: Context): Promise<boolean> };
}

/** Opens the installation's status, for everyone, and incidents, written by operators. */
export function openStatus(platform: Platform, below: Below) {
  const { blobs } = platform;
  const sampling = samplingOf(platform, below);
  const cache = createAnswerCache(statusCacheSeconds * 1_000);
  const needs = { sampling, cache };
  const verbs = {
    getStatus: (ctx: Context) => getStatus(ctx, needs),
    getStatusHistory: (ctx: Context) => getStatusHistory(ctx, needs),
    listIncidents: (ctx: Context) => listIncidents(ctx, needs),
    ...bind(needs, { getStatusLatency }),
  };
  const written = async (writing: Promise<Incident>) => {
    const incident = await writing;
    cache.clear();
    return { incident };
  };
  return feature({
    name: 'status',
    verbs: {
      ...verbs,
      needs,
      /** Rejects while the database accepts no writes, as on a full disk; first retries pending ones. */
      async requireWrites(ctx: Context) {
        if (sampling.pending.length > 0) await writeSamples(ctx, sampling);
        if (sampling.pending.length > 0) throw new Error('the database takes no writes');
      },
    },
    endpoints: serve(statusEndpoints, {
      getStatus: (ctx) => verbs.getStatus(ctx),
      getStatusHistory: (ctx) => verbs.getStatusHistory(ctx),
      getStatusLatency: verbs.getStatusLatency,
      listIncidents: async (ctx) => ({ incidents: await verbs.listIncidents(ctx) }),
      openIncident: (ctx, input) => written(openIncident(ctx, input)),
      updateIncident: (ctx, input) => written(updateIncident(ctx, input)),
      resolveIncident: (ctx, input) => written(resolveIncident(ctx, input)),
    }),
    scheduledJobs: [
      measuringJob(sampling, measureWhenFull(platform, needs)),
      {
        name: 'delete files of ended checks',
        where: 'worker',
        everyMs: hourMs,
        deletesFiles: true,
        run: (ctx) => removeOldProbeFiles(ctx, blobs),
      },
    ],
  });
}

/**
 * Measures at once when a write hits a full disk, since the last check would report success for another minute. Returns
 * a function that receives the context.
 */
function measureWhenFull(
  { onFullDisk, background }: Platform,
  { sampling, cache }: StatusDependencies,
): (ctx: Context) => void {
  let known: Context | undefined;
  let isMeasuring = false;
  const isNoticed = () =>
    partValues(sampling).some(([part, value]) => value === 0 && (part === 'database' || part === 'files'));
  onFullDisk(() => {
    if (known === undefined || isMeasuring || isNoticed()) return;
    const ctx = known;
    isMeasuring = true;
    background.run('the check of a full disk', async () => {
      await measureStatus(ctx, sampling).finally(() => {
        isMeasuring = false;
      });
      cache.clear();
    });
  });
  return (ctx) => {
    known = ctx;
  };
}

/** Checks the installation's parts every minute, and aggregates old samples once an hour. */
function measuringJob(sampling: Sampling, begins: (ctx: Context) => void): ScheduledJob {
  let prunedAt: number | undefined;
  return {
    name: 'measure the status',
    where: 'server',
    everyMs: minuteMs,
    isAligned: true,
    async run(ctx, signal) {
      begins(ctx);
      await measureStatus(ctx, sampling, signal);
      const now = ctx.clock.now();
      // Also run after the clock is set back.
      if (prunedAt !== undefined && now >= prunedAt && now - prunedAt < hourMs) return;
      prunedAt = now;
      await pruneStatus(ctx);
    },
    flush: (ctx) => writeSamples(ctx, sampling),
  };
}

/** Returns what this process measures: each configured part with a probe, and its searches and reads. */
function samplingOf(
  platform: Platform,
  { catalog: { shelf, cluster }, indexing, search, maintenance }: Below,
): Sampling {
  const { config, db, clock, blobs, metrics } = platform;
  const process = randomBytes(4).toString('hex');
  const latency = createLatencyCounts(() => clock.now());
  search.answered.on(async ({ kind, tookMs, isError }) => {
    latency.record(kind, tookMs, isError);
    metrics.call(kind, tookMs, isError);
  });
  const probes = [
    // A separate search, which is neither charged nor counted.
    searchProbe(createSearch({ shelf }), shelf),
    ...(cluster === undefined ? [] : [clusterProbe(cluster.cluster, cluster.claim)]),
    databaseProbe(),
    filesProbe(blobs, process),
    // In other processes it would report that no runs are carried out.
    ...(config.roles.includes('worker') ? [jobsProbe(() => indexing.isRunnerAlive())] : []),
    secretProbe(maintenance.isOurSecret),
    ...openPartnerProbes(platform),
  ];
  const sampling = {
    process,
    probes,
    latency,
    pending: [],
    last: new Map(),
    recent: new Map(),
    elsewhere: ['jobs'] as const,
  };
  metrics.readFrom({ queue: () => queueOf({ db, clock }), parts: () => partValues(sampling) });
  return sampling;
}

async function queueOf(base: Pick<Context, 'clock' | 'db'>) {
  const { waiting, running, oldestWaitingSince } = await getQueueFigures(base);
  const waitedMs = oldestWaitingSince === null ? 0 : base.clock.now() - oldestWaitingSince;
  return { waiting, running, oldestWaitSeconds: Math.max(0, waitedMs / 1_000) };
}

/** Returns probes of the configured external services. */
function openPartnerProbes({ config, outboundTo, scope }: Platform): Probe[] {
  const { mail, payments, codeHost, dnsServers, chromium } = config;
  const addresses = {
    payments: payments.kind === 'stripe' ? payments.url : undefined,
    'code-host': codeHost && apiUrlOf(codeHost.url),
  };
  const outbound = outboundTo(Object.values(addresses));
  const probes: Probe[] = [];
  if (mail.kind === 'smtp') {
    const mailer = openMailer(mail);
    scope.defer(() => mailer.close());
    probes.push(mailProbe(mailer));
  }
  for (const part of ['payments', 'code-host'] as const) {
    const address = addresses[part];
    if (address !== undefined) probes.push(partnerProbe(part, () => requireResponse(outbound, address)));
  }
  if (dnsServers.length > 0) {
    const resolveTxt = createTxtResolver(dnsServers);
    probes.push(partnerProbe('name-servers', () => resolveTxt(askedName)));
  }
  if (chromium !== undefined) probes.push(partnerProbe('renderer', () => access(chromium, constants.X_OK)));
  return probes;
}

/** Checks that the mail server responds; mails waiting for long show that it does not accept them. */
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

/** Accepts any response except a server error. */
async function requireResponse(outbound: Outbound, address: string): Promise<void> {
  const { status } = await outbound.request(address, { redirectsMax: 0, onHead: () => 'stop' });
  if (status >= 500) throw new Error(`answered with status ${status}`);
}
