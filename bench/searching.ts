import { openAgent } from '../eval/drive/agent.ts';
import { type Latency, latencyOf } from './latency.ts';
import { queries } from './queries.ts';

/** Concurrent callers in the crowded measurements. */
export const callersAtOnce = 16;

export interface SearchFigures {
  alone: Latency;
  crowded: Latency;
  /** Searches per second with all callers at once. */
  crowdedPerSecond: number;
}

/** A caller's session. Passages are sent only once per session, so every timed search has its own session. */
interface Session {
  search(query: string): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * Times `search` for every query `rounds` times: one caller alone, then 16 at once; all queries run once before,
 * untimed.
 */
export async function timeSearches(rounds: number, openSession: () => Promise<Session>): Promise<SearchFigures> {
  await timeAll(queries, 1, openSession);
  const repeated = Array.from({ length: rounds }, () => queries).flat();
  const alone = await timeAll(repeated, 1, openSession);
  const crowded = await timeAll(repeated, callersAtOnce, openSession);
  return {
    alone: latencyOf(alone.timesMs),
    crowded: latencyOf(crowded.timesMs),
    crowdedPerSecond: repeated.length / crowded.seconds,
  };
}

/** Times searches over MCP, as agents search. */
export function searchesOverMcp(origin: string, key: string, rounds: number): Promise<SearchFigures> {
  return timeSearches(rounds, () => openAgent(origin, key));
}

async function timeAll(
  wanted: string[],
  atOnce: number,
  openSession: () => Promise<Session>,
): Promise<{ timesMs: number[]; seconds: number }> {
  const waiting: { query: string; session: Session }[] = [];
  for (const query of wanted) waiting.push({ query, session: await openSession() });
  const timesMs: number[] = [];
  const used: Session[] = [];
  const caller = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const begun = performance.now();
      await next.session.search(next.query);
      timesMs.push(performance.now() - begun);
      used.push(next.session);
    }
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: atOnce }, caller));
  const seconds = (performance.now() - begun) / 1000;
  for (const session of used) await session.close();
  return { timesMs, seconds };
}
