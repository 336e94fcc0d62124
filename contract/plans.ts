/**
 * What a person or a team subscribes to. Any tier but Free is paid; only paid tiers have a monthly allowance.
 */
export const tiers = ['Free', 'Basic', 'Pro'] as const;
export type Tier = (typeof tiers)[number];

export interface Plan {
  usdPerMonth: number;
  /** Credits of each billing cycle; they do not carry over. */
  creditsPerMonth: number;
  /** Pages of one source. */
  pagesPerSource: number;
  /** Pages of all sources. */
  pagesTotal: number;
  /** Links that a crawl follows from the start of a site. */
  depth: number;
  /** Bytes of the index of all sources. */
  indexBytes: number;
  /** Storage for the files of PDF sets. */
  pdfBytes: number;
  /** Index runs that people start and that have not ended. */
  runsAtOnce: number;
}

/**
 * The room of a plan is that of one workspace, a person's or a team's. The Free plan is one for a person together with all teams
 * that they founded and that pay nothing.
 */
export const plans: Record<Tier, Plan> = {
  Free: {
    usdPerMonth: 0,
    creditsPerMonth: 0,
    pagesPerSource: 5_000,
    pagesTotal: 20_000,
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
    depth: 100,
    indexBytes: 25_000_000_000,
    pdfBytes: 40_000_000_000,
    runsAtOnce: 25,
  },
};

/** Purchased credits never expire. */
export const creditPack = { credits: 1_000, usd: 9 } as const;

/** The plan of a stored tier; one that is not known counts as Free. */
export function tierOf(stored: string): Tier {
  return tiers.find((tier) => tier === stored) ?? 'Free';
}
