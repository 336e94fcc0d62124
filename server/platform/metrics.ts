import { setTimeout as delay } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Bounds in seconds: close together where searches are, up to the longest call. */
const seconds = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 70];

/** A scrape does not wait for a database that hangs. */
const queueMsMax = 1_000;

/** What is read again for each scrape. */
export interface MetricsSources {
  /** Index runs that wait and that are carried out, and for how long the oldest has waited. */
  queue(): Promise<{ waiting: number; running: number; oldestWaitSeconds: number }>;
  /** What this process found last of each part of the status: 1 well, 0.5 impaired, 0 failed. */
  parts(): Iterable<readonly [part: string, value: number]>;
}

/** Counts what this process does, for Prometheus. Names of routes and parts, never of people, keys or queries. */
export interface Metrics {
  request(answered: { method: string; route: string; status: number; ms: number }): void;
  call(kind: 'search' | 'read', tookMs: number, isError: boolean): void;
  /** Tells where the rest is read. */
  readFrom(sources: MetricsSources): void;
  /** Everything in the text format of Prometheus. */
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
    ...{ name: 'lectern_http_requests_total', help: 'Requests that were answered.' },
    ...{ labelNames: ['method', 'route', 'status'], registers },
  });
  const requestSeconds = new Histogram({
    ...{ name: 'lectern_http_request_seconds', help: 'Time to the response of requests.' },
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
  // Both numbers of a scrape are of one moment. Without the database the others are still worth something: these are then left out.
  const readQueue = () => {
    const forget = () => {
      if (reading === mine) reading = undefined;
    };
    const mine = (reading ??= sources.queue());
    void mine.then(forget, forget);
    // One that never ends must not keep the next from being asked.
    return Promise.race([mine, delay(queueMsMax, undefined, { ref: false }).then(forget)]).catch(() => undefined);
  };
  new Gauge({
    ...{ name: 'lectern_oldest_waiting_run_seconds', help: 'For how long the oldest index run has waited.' },
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
    ...{ name: 'lectern_part_up', help: 'What this process found of each part: 1 well, 0.5 impaired, 0 failed.' },
    ...{ labelNames: ['part'], registers },
    collect() {
      this.reset();
      for (const [part, value] of sources.parts()) this.set({ part }, value);
    },
  });
}
