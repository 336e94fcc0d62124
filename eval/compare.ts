import type { Outcome } from './ask.ts';
import { isAnswered, isPageAt5, mean } from './score.ts';

/** What is kept of a question from one run to the next. */
export interface BaselineRow {
  id: string;
  tier: string;
  pageAt5: boolean;
  answer: boolean;
  tokens: number;
}

export interface Verdict {
  figure: string;
  before: number;
  now: number;
  isDrop: boolean;
  reason: string;
}

/** A drop must be this unlikely to be chance before it counts. */
const significance = 0.05;
/** Fewer more tokens than this, relative to before, never count, however sure they are. */
const tokensTolerated = 0.03;

export function toBaselineRows(outcomes: Outcome[]): BaselineRow[] {
  return outcomes.map((outcome) => ({
    id: outcome.id,
    tier: outcome.tier,
    pageAt5: isPageAt5(outcome),
    answer: isAnswered(outcome),
    tokens: outcome.tokens,
  }));
}

/**
 * Compares the headline questions of two runs, question by question.
 *
 * Noise rule. Hits: of the questions whose outcome changed, the lost ones must be so many that a fair coin would give
 * that many less often than once in 20 (one-sided exact sign test). Tokens: the mean paired increase must be over two
 * standard errors and over 3 %.
 */
export function compare(before: BaselineRow[], now: BaselineRow[]): Verdict[] {
  const earlier = new Map(before.map((row) => [row.id, row]));
  const pairs = now
    .filter((row) => row.tier !== 'written' || now.every(({ tier }) => tier === 'written'))
    .flatMap((row) => {
      const old = earlier.get(row.id);
      return old === undefined ? [] : [{ old, row }];
    });
  if (pairs.length < 0.9 * before.filter((row) => row.tier !== 'written').length || pairs.length === 0) {
    throw new Error('the baseline was made with other questions; make a new one with --save-baseline');
  }
  return [
    compareHits(
      'page@5',
      pairs.map(({ old, row }) => [old.pageAt5, row.pageAt5]),
    ),
    compareHits(
      'answer',
      pairs.map(({ old, row }) => [old.answer, row.answer]),
    ),
    compareTokens(pairs.map(({ old, row }) => [old.tokens, row.tokens])),
  ];
}

function compareHits(figure: string, pairs: [boolean, boolean][]): Verdict {
  const lost = pairs.filter(([before, now]) => before && !now).length;
  const gained = pairs.filter(([before, now]) => !before && now).length;
  const chance = chanceOfAtLeast(lost, lost + gained);
  return {
    figure,
    before: mean(pairs.map(([before]) => Number(before))),
    now: mean(pairs.map(([, now]) => Number(now))),
    isDrop: lost > gained && chance < significance,
    reason: `${lost} lost, ${gained} gained; chance of as many lost by luck ${chance.toFixed(3)}`,
  };
}

function compareTokens(pairs: [number, number][]): Verdict {
  const differences = pairs.map(([before, now]) => now - before);
  const before = mean(pairs.map(([tokens]) => tokens));
  const increase = mean(differences);
  const variance = mean(differences.map((difference) => (difference - increase) ** 2));
  const standardError = Math.sqrt(variance / pairs.length);
  return {
    figure: 'tokens',
    before,
    now: before + increase,
    isDrop: increase > 2 * standardError && increase > tokensTolerated * before,
    reason: `${increase >= 0 ? '+' : ''}${increase.toFixed(0)} a question, standard error ${standardError.toFixed(0)}`,
  };
}

/** Chance that a fair coin thrown `throws` times shows heads at least `heads` times. */
export function chanceOfAtLeast(heads: number, throws: number): number {
  let term = 0.5 ** throws;
  let sum = 0;
  for (let count = 0; count <= throws; count += 1) {
    if (count >= heads) sum += term;
    term = (term * (throws - count)) / (count + 1);
  }
  return Math.min(1, sum);
}
