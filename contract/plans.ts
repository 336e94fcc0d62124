/** What a person or a team subscribes to. Any tier but Free is paid; only paid tiers have a monthly allowance. */
export const tiers = ['Free', 'Basic', 'Pro'] as const;
export type Tier = (typeof tiers)[number];

/** The plan of a stored tier; one that is not known counts as Free. */
export function tierOf(stored: string): Tier {
  return tiers.find((tier) => tier === stored) ?? 'Free';
}
