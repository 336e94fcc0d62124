import * as limits from '#contract/limits.ts';

/** A caller's budget within what is allowed, or the default when there is none. */
export function budgetOf(asked: number | undefined, byDefault: number): number {
  if (asked === undefined || !Number.isFinite(asked)) return byDefault;
  return Math.min(limits.budgetTokensMax, Math.max(limits.budgetTokensMin, Math.floor(asked)));
}
