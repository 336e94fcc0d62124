import { setTimeout as delay } from 'node:timers/promises';
import { Agent, type RoundRobin } from './round-robin.ts';

export interface SearchLoad {
  /** Searches that were answered, so far. */
  answered(): number;
  /** What else came of one, so far. */
  failures: string[];
  /** Waits for the searches in progress; answers their times in milliseconds, in order. */
  end(): Promise<number[]>;
}

/** So many searches of one session, each of which is answered by another process. */
const searchesOfSession = 8;

/**
 * Has `connections` agents search, each one search after another. A right answer has the text
 * of the page asked for, or leaves it out because the session has it already.
 */
export function startSearching(
  proxy: RoundRobin,
  options: { key: string; connections: number; questions: { query: string; answer: string }[]; pauseMs: number },
): SearchLoad {
  const { key, connections, questions, pauseMs } = options;
  const failures: string[] = [];
  const times: number[] = [];
  const ended = new AbortController();
  const searchOnce = async (agent: Agent, number: number): Promise<void> => {
    const { query, answer } = questions[number % questions.length] ?? { query: '', answer: '' };
    const begun = performance.now();
    await agent.search(query);
    // Also what was recorded as sent, but lost on the way: a call that comes again under its key is answered again.
    if (!agent.received.some((text) => text.includes(answer)))
      failures.push(`${query}: ${agent.received.at(-1)?.slice(0, 300)}`);
    times.push(performance.now() - begun);
  };
  const work = async (connection: number) => {
    let agent: Agent | undefined;
    for (let number = connection; !ended.signal.aborted; number += 1) {
      try {
        if (agent === undefined || number % searchesOfSession === 0) agent = await Agent.connect(proxy, key);
        await searchOnce(agent, number);
        await delay(pauseMs, undefined, { signal: ended.signal }).catch(() => undefined);
      } catch (error) {
        failures.push(String(error));
      }
    }
  };
  const working = Promise.all(Array.from({ length: connections }, (_, connection) => work(connection)));
  return {
    answered: () => times.length,
    failures,
    async end() {
      ended.abort();
      await working;
      return times.sort((a, b) => a - b);
    },
  };
}
