/** Subscription tiers of a person or a team. All but Free are paid; only paid tiers have a monthly allowance. */
export const tiers = ['Free', 'Basic', 'Pro'] as const;
export type Tier = (typeof tiers)[number];

export interface Plan {
  usdPerMonth: number;
  /** Credits per billing cycle; they do not carry over. */
  creditsPerMonth: number;
  /** Pages of one source. */
  pagesPerSource: number;
  /** Pages of all sources. */
  pagesTotal: number;
  /** Sources, also those that never had a page. */
  sourcesTotal: number;
  /** Link depth of a crawl from a site's start page. */
  depth: number;
  /** Index size of all sources in bytes. */
  indexBytes: number;
  /** Storage for PDF sets in bytes. */
  pdfBytes: number;
  /** Index runs started by people that have not ended. */
  runsAtOnce: number;
}

/**
 * A plan's limits apply to one workspace, a person's or a team's. The Free plan's limits are shared by a person and all
 * teams that they founded and that do not pay.
 */
export const plans: Record<Tier, Plan> = {
  Free: {
    usdPerMonth: 0,
    creditsPerMonth: 0,
    pagesPerSource: 5_000,
    pagesTotal: 20_000,
    sourcesTotal: 500,
    depth: 20,
    indexBytes: 1_000_000_000,
    pdfBytes: 2_000_000_000,
    runsAtOnce: 3,
  },
  Basic: {
    usdPerMonth: 9,
    creditsPerMonth: 1_000,
    pagesPerSource: 20_000,
    pagesTotal: 100_000,
    sourcesTotal: 2_500,
    depth: 50,
    indexBytes: 5_000_000_000,
    pdfBytes: 10_000_000_000,
    runsAtOnce: 10,
  },
  Pro: {
    usdPerMonth: 29,
    creditsPerMonth: 4_000,
    pagesPerSource: 100_000,
    pagesTotal: 500_000,
    sourcesTotal: 10_000,
    depth: 100,
    indexBytes: 25_000_000_000,
    pdfBytes: 40_000_000_000,
    runsAtOnce: 25,
  },
};

/** Purchased credits never expire. */
export const creditPack = { credits: 1_000, usd: 9 } as const;

/** Returns the plan of a stored tier; unknown tiers count as Free. */
export function tierOf(stored: string): Tier {
  return tiers.find((tier) => tier === stored) ?? 'Free';
}
