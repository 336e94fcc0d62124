/** What a person or a team subscribes to. Any tier but Free is paid; only paid tiers have a monthly allowance. */
export const tiers = ['Free', 'Basic', 'Pro'] as const;
export type Tier = (typeof tiers)[number];

interface Plan {
  usdPerMonth: number;
  /** Credits of each billing cycle; they do not carry over. */
  creditsPerMonth: number;
  /** Storage for the files of PDF sets, of a person's or a team's workspace. */
  pdfBytes: number;
}

export const plans: Record<Tier, Plan> = {
  Free: { usdPerMonth: 0, creditsPerMonth: 0, pdfBytes: 2_000_000_000 },
  Basic: { usdPerMonth: 9, creditsPerMonth: 1_000, pdfBytes: 10_000_000_000 },
  Pro: { usdPerMonth: 29, creditsPerMonth: 4_000, pdfBytes: 40_000_000_000 },
};

/** Purchased credits never expire. */
export const creditPack = { credits: 1_000, usd: 9 } as const;

/** The plan of a stored tier; one that is not known counts as Free. */
export function tierOf(stored: string): Tier {
  return tiers.find((tier) => tier === stored) ?? 'Free';
}
