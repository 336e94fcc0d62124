import type { SavingsLedger } from '#contract/credits.ts';

const minuteMs = 60_000;

/** Returns savings of keys and conversations of every kind. */
export function someSavings(now: number): SavingsLedger {
  const sums = (searches: number, reads: number, tokensSent: number) => ({
    ...{
      searches,
      answeredSearches: searches,
      reads,
      tokensSent,
      wholePageTokens: tokensSent * 9,
      withheldTokens: 1_200,
    },
    savedTokens: Math.max(0, searches * 10_000 - tokensSent),
  });
  const row = (id: string | null, name: string | null, minutes: number, sum: ReturnType<typeof sums>) => ({
    ...{ id, name, lastAt: now - minutes * minuteMs },
    ...sum,
  });
  return {
    since: now - 30 * 24 * 60 * minuteMs,
    baselineTokens: 10_000,
    total: sums(186, 64, 171_400),
    keys: [
      row('key_1', 'Claude Code on the laptop', 14, sums(120, 40, 98_300)),
      row('key_2', 'CI', 300, sums(50, 20, 61_000)),
      row(null, null, 2_000, sums(16, 4, 12_100)),
    ],
    sessions: [
      row('s1', 'claude-code', 14, sums(12, 4, 9_100)),
      row('s2', 'a-client-whose-name-is-as-long-as-names-of-clients-may-well-be', 95, sums(7, 0, 5_300)),
      row('s3', 'cursor', 600, sums(0, 2, 2_900)),
      row('s4', null, 4_000, sums(31, 9, 28_000)),
    ],
  };
}
