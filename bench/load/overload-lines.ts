import { type Calls, callAtOnce, callAtRate, errorsOf, p } from './callers.ts';
import { get, type Line, type LoadRun, lineOf, ms, ratioTo, searchPath, secondsOf } from './load-run.ts';
import { addPerson } from './people.ts';

const callersAtBest = 16;
const normalWithinSeconds = 5;

/**
 * 10 x overload: ten times as many callers as the best rate needs, each calling again as soon as its response arrives.
 */
export async function overloadLine(run: LoadRun): Promise<Line> {
  const seconds = secondsOf(run, 10);
  const search = get(run, searchPath);
  const best = await callAtOnce(search, callersAtBest, seconds);
  const bestRate = best.timesMs.length / best.seconds;
  const loaded = await callAtOnce(search, 10 * callersAtBest, seconds);
  const share = loaded.timesMs.length / loaded.seconds / bestRate;
  const refusedMs = loaded.refusedMs.length === 0 ? 0 : p({ ...loaded, timesMs: loaded.refusedMs }, 0.99);
  const { calmAfter, calls } = await untilNormal(run);
  const isAlive = (await fetch(`${run.product.origin}/healthz`)).ok;
  const normal = calmAfter === undefined ? 'not normal within 5 s' : `normal after ${calmAfter} s`;
  const figures = `${(share * 100).toFixed(0)} % of the best ${bestRate.toFixed(0)}/s with ${10 * callersAtBest} callers, ${loaded.refusedMs.length} refused (p99 ${ms(refusedMs)}), ${normal}`;
  const isEnough = isAlive && share >= 0.8 && refusedMs <= 200 && calmAfter !== undefined;
  return lineOf('load-0013', figures, [isEnough, share >= 0.95], errorsOf(best, loaded, ...calls));
}

/**
 * Finds the first second in which searches take at most twice their idle time, at the same rate as in the idle
 * measurement.
 */
async function untilNormal(run: LoadRun): Promise<{ calmAfter: number | undefined; calls: Calls[] }> {
  const calls: Calls[] = [];
  for (let second = 1; second <= normalWithinSeconds; second += 1) {
    const asked = await callAtRate(get(run, searchPath), 20, 1);
    calls.push(asked);
    const isWhole = asked.refusedMs.length === 0;
    if (isWhole && p(asked, 0.95) <= 2 * Math.max(run.idleP95Ms ?? 0, 10)) return { calmAfter: second, calls };
  }
  return { calmAfter: undefined, calls };
}

/** Rate of the caller beside the flood. A new account's credits suffice for its searches, idle and during the flood. */
const quietPerSecond = 5;
const quietSecondsMax = 18;

export async function floodLine(run: LoadRun): Promise<Line> {
  const quiet = get(run, searchPath, await addPerson(run, 'quiet'));
  const seconds = Math.min(quietSecondsMax, secondsOf(run, 15));
  const idle = await callAtRate(quiet, quietPerSecond, seconds);
  const [flooding, beside] = await Promise.all([
    callAtOnce(get(run, searchPath), 32, seconds),
    callAtRate(quiet, quietPerSecond, seconds),
  ]);
  const { ratio, words } = ratioTo(p(idle, 0.95), beside);
  const refused = idle.refusedMs.length + beside.refusedMs.length;
  const figures = `${words}, beside ${flooding.timesMs.length} calls of the other, ${refused} refused`;
  const errors = errorsOf(flooding, beside, idle);
  return lineOf('load-0014', figures, [refused === 0 && ratio <= 2, ratio <= 1.3], errors);
}
