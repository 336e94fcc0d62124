import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from '../../eval/score.ts';

/** Results of a series of calls. */
export interface Calls {
  timesMs: number[];
  /** Refused by the server because it is overloaded, or because of one caller's rate limit. */
  refusedMs: number[];
  /** Other failures: the first words of each kind, with their number. */
  errors: Map<string, number>;
  seconds: number;
}

/** The parts of a response that are checked. */
export interface Answer {
  ok: boolean;
  status: number;
  headers?: { get(name: string): string | null };
  arrayBuffer(): Promise<ArrayBuffer>;
}

export type Ask = (index: number) => Promise<Answer>;

async function askOnce(ask: Ask, index: number, calls: Calls): Promise<void> {
  const begun = performance.now();
  const fail = (what: string) => void calls.errors.set(what, (calls.errors.get(what) ?? 0) + 1);
  try {
    const response = await ask(index);
    await response.arrayBuffer();
    const ms = performance.now() - begun;
    if (response.ok) calls.timesMs.push(ms);
    else if (response.status === 429 || response.status === 503) calls.refusedMs.push(ms);
    else fail(`status ${response.status}`);
  } catch (error) {
    fail(error instanceof Error ? error.name : String(error));
  }
}

const none = (): Calls => ({ timesMs: [], refusedMs: [], errors: new Map(), seconds: 0 });

/** Open loop: sends a fixed number of calls a second, whether or not earlier calls have returned. */
export async function callAtRate(ask: Ask, perSecond: number, seconds: number): Promise<Calls> {
  return callOnTime(ask, perSecond, (asked) => asked < perSecond * seconds);
}

/** Like `callAtRate`, until `work` has ended. */
export async function callDuring(ask: Ask, perSecond: number, work: Promise<unknown>): Promise<Calls> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  void work.then(end, end);
  return callOnTime(ask, perSecond, () => !isOver);
}

async function callOnTime(ask: Ask, perSecond: number, goesOn: (asked: number) => boolean): Promise<Calls> {
  const calls = none();
  const begun = performance.now();
  const running: Promise<void>[] = [];
  for (let index = 0; goesOn(index); index += 1) {
    const waitMs = begun + (index * 1_000) / perSecond - performance.now();
    if (waitMs > 1) await delay(waitMs);
    running.push(askOnce(ask, index, calls));
  }
  await Promise.all(running);
  calls.seconds = (performance.now() - begun) / 1_000;
  return calls;
}

/** Closed loop: a number of callers, each calling again as soon as its response arrives, for a fixed time. */
export async function callAtOnce(ask: Ask, callers: number, seconds: number): Promise<Calls> {
  const calls = none();
  const begun = performance.now();
  let index = 0;
  const caller = async () => {
    while (performance.now() - begun < seconds * 1_000) {
      index += 1;
      await askOnce(ask, index, calls);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  calls.seconds = (performance.now() - begun) / 1_000;
  return calls;
}

/** Closed loop over a fixed number of calls. */
export async function callEach(ask: Ask, count: number, callers: number): Promise<Calls> {
  const calls = none();
  const begun = performance.now();
  let next = 0;
  const caller = async () => {
    for (let index = next++; index < count; index = next++) await askOnce(ask, index, calls);
  };
  await Promise.all(Array.from({ length: callers }, caller));
  calls.seconds = (performance.now() - begun) / 1_000;
  return calls;
}

export function p(calls: Calls, share: number): number {
  return calls.timesMs.length === 0 ? Number.POSITIVE_INFINITY : percentile(calls.timesMs, share);
}

export function errorsOf(...all: Calls[]): string {
  return all.flatMap(({ errors }) => [...errors].map(([what, count]) => `${count} x ${what}`)).join(', ');
}

export function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
