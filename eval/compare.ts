import type { Outcome } from './ask.ts';
import type { Form } from './question.ts';
import { type Estimate, estimate, measures } from './score.ts';

/** A question's values in one form, stored to compare runs. */
export interface KeptOutcome {
  id: string;
  form: Form;
  /** In the order of `measures`. */
  values: number[];
}

export interface Verdict {
  form: Form;
  measure: string;
  questions: number;
  before: number;
  now: number;
  /** Statistics of the differences per question. */
  difference: Estimate;
  won: number;
  lost: number;
  verdict: 'better' | 'worse' | 'no difference';
}

/** Measures for which lower is better. */
const lessIsBetter = new Set(['tokens of a path', 'tokens of the search', 'reads', 'from other libraries']);

export function keep(outcomes: Outcome[]): KeptOutcome[] {
  return outcomes
    .filter(({ tier }) => tier !== 'written' || outcomes.every((other) => other.tier === 'written'))
    .map((outcome) => ({
      id: outcome.id,
      form: outcome.form,
      values: Object.values(measures).map((measure) => Math.round(measure(outcome) * 1_000) / 1_000),
    }));
}

/**
 * Compares two runs over the same questions, pairwise: a measure is better or worse only if the 95 % interval of its
 * differences (bootstrap over questions) excludes zero. Throws if fewer than 90 % of the questions are in both.
 */
export function compare(before: KeptOutcome[], now: KeptOutcome[]): Verdict[] {
  const earlier = new Map(before.map((row) => [`${row.form} ${row.id}`, row]));
  const pairs = now.flatMap((row) => {
    const old = earlier.get(`${row.form} ${row.id}`);
    return old === undefined ? [] : [{ old, row }];
  });
  if (pairs.length === 0 || pairs.length < 0.9 * before.length) {
    throw new Error('the other run asked other questions; make a new one with --save-baseline or --json');
  }
  return [...Map.groupBy(pairs, ({ row }) => row.form)].flatMap(([form, ofForm]) =>
    Object.keys(measures).map((measure, place) => {
      const values = ofForm.map(({ old, row }) => [old.values[place] ?? 0, row.values[place] ?? 0] as const);
      return verdictOf(form, measure, values);
    }),
  );
}

function verdictOf(form: Form, measure: string, values: (readonly [number, number])[]): Verdict {
  const difference = estimate(values.map(([old, now]) => now - old));
  const isMore = difference.low > 0;
  const isLess = difference.high < 0;
  const isBetter = lessIsBetter.has(measure) ? isLess : isMore;
  return {
    ...{ form, measure, questions: values.length, difference },
    before: estimate(values.map(([old]) => old)).mean,
    now: estimate(values.map(([, now]) => now)).mean,
    won: values.filter(([old, now]) => now > old).length,
    lost: values.filter(([old, now]) => now < old).length,
    verdict: isBetter ? 'better' : isMore || isLess ? 'worse' : 'no difference',
  };
}
