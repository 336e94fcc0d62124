import { setTimeout as delay } from 'node:timers/promises';
import { Agent, type RoundRobin } from './round-robin.ts';

export interface SearchLoad {
  /** Number of answered searches so far. */
  answered(): number;
  /** Failed searches so far. */
  failures: string[];
  /** Waits for the searches in progress; returns their sorted durations in milliseconds. */
  end(): Promise<number[]>;
}

/** Searches per session, each of which another process answers. */
const searchesOfSession = 8;

/**
 * Makes `connections` agents search in sequence. A correct answer contains the text of the page asked for, or leaves it
 * out because the session already has it.
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
    // Passages lost on the way after being recorded as sent must arrive too: a repeated call with its key returns them.
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
