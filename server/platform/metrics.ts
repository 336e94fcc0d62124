import { setTimeout as delay } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Histogram bounds in seconds: fine-grained in the range of searches, up to the longest call. */
const seconds = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 70];

/** Limit for the queue query, so that a scrape does not wait for a hanging database. */
const queueMsMax = 1_000;

/** Values read anew for each scrape. */
export interface MetricsSources {
  /** Waiting and running index runs, and how long the oldest has waited. */
  queue(): Promise<{ waiting: number; running: number; oldestWaitSeconds: number }>;
  /** The latest result of this process for each part of the status: 1 well, 0.5 impaired, 0 failed. */
  parts(): Iterable<readonly [part: string, value: number]>;
}

/** Prometheus metrics of this process, with names of routes and parts, never of people, keys or queries. */
export interface Metrics {
  request(answered: { method: string; route: string; status: number; ms: number }): void;
  call(kind: 'search' | 'read', tookMs: number, isError: boolean): void;
  /** Sets the sources of the remaining values. */
  readFrom(sources: MetricsSources): void;
  /** Returns all metrics in the Prometheus text format. */
  text(): Promise<{ contentType: string; body: string }>;
}

export function createMetrics(about: { version: string; roles: readonly string[] }): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({
    ...{ name: 'lectern_info', help: 'Version and roles of this process; always 1.' },
    ...{ labelNames: ['version', 'roles'], registers },
  }).set({ version: about.version, roles: about.roles.join(' ') }, 1);
  const requests = new Counter({
    ...{ name: 'lectern_http_requests_total', help: 'Answered requests.' },
    ...{ labelNames: ['method', 'route', 'status'], registers },
  });
  const requestSeconds = new Histogram({
    ...{ name: 'lectern_http_request_seconds', help: 'Time from request to response.' },
    ...{ labelNames: ['route'], buckets: seconds, registers },
  });
  const callSeconds = new Histogram({
    ...{ name: 'lectern_call_seconds', help: 'Time of searches and reads; outcome "error" is our own fault.' },
    ...{ labelNames: ['kind', 'outcome'], buckets: seconds, registers },
  });
  return {
    request({ method, route, status, ms }) {
      requests.inc({ method, route, status });
      requestSeconds.observe({ route }, ms / 1_000);
    },
    call(kind, tookMs, isError) {
      callSeconds.observe({ kind, outcome: isError ? 'error' : 'ok' }, tookMs / 1_000);
    },
    readFrom: (sources) => addSources(registers, sources),
    text: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  };
}

function addSources(registers: Registry[], sources: MetricsSources): void {
  let reading: ReturnType<MetricsSources['queue']> | undefined;
  // Read once per scrape, so that the queue's numbers are consistent. Left out if the database is unavailable, so that
  // the other metrics still arrive.
  const readQueue = () => {
    const forget = () => {
      if (reading === mine) reading = undefined;
    };
    const mine = (reading ??= sources.queue());
    void mine.then(forget, forget);
    // A query that never ends must not block the next scrape's.
    return Promise.race([mine, delay(queueMsMax, undefined, { ref: false }).then(forget)]).catch(() => undefined);
  };
  new Gauge({
    ...{ name: 'lectern_oldest_waiting_run_seconds', help: 'Waiting time of the oldest index run.' },
    registers,
    async collect() {
      const queue = await readQueue();
      if (queue === undefined) this.remove();
      else this.set(queue.oldestWaitSeconds);
    },
  });
  new Gauge({
    ...{ name: 'lectern_runs', help: 'Index runs of the installation by state.' },
    ...{ labelNames: ['state'], registers },
    async collect() {
      const queue = await readQueue();
      this.reset();
      if (queue === undefined) return;
      this.set({ state: 'waiting' }, queue.waiting);
      this.set({ state: 'running' }, queue.running);
    },
  });
  new Gauge({
    ...{
      name: 'lectern_part_up',
      help: 'State of each component as this process sees it: 1 well, 0.5 impaired, 0 failed.',
    },
    ...{ labelNames: ['part'], registers },
    collect() {
      this.reset();
      for (const [part, value] of sources.parts()) this.set({ part }, value);
    },
  });
}
