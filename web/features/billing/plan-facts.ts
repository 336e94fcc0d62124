import * as limits from '#contract/limits.ts';
import { plans, type Tier } from '#contract/plans.ts';
import { countOf, formatBytes, formatCount, formatUsd } from '../../ui/quantities.ts';

/** Days per month, for converting monthly figures to daily ones. */
const daysPerMonth = 30;

export const planPurposes: Record<Tier, string> = {
  Free: 'To try it with one agent.',
  Basic: 'For someone who codes with an agent every day.',
  Pro: 'For several agents that work most of the day.',
};

/** Returns what a plan includes, most important first. */
export function planFacts(tier: Tier): string[] {
  const { creditsPerMonth, usdPerMonth } = plans[tier];
  if (creditsPerMonth === 0) {
    return [
      `${formatCount(limits.initialCredits)} credits to begin with`,
      'Every public source, and a private index',
      roomOf(tier),
      'Every editor and agent that supports MCP',
    ];
  }
  return [
    `About ${formatCount(creditsPerMonth / daysPerMonth)} searches and reads a day`,
    `${formatUsd((usdPerMonth * 100 * 1_000) / creditsPerMonth)} per 1,000 credits`,
    roomOf(tier),
    `Everything in ${tier === 'Pro' ? 'Basic' : 'Free'}`,
  ];
}

/** Returns a line about the limits of a workspace on a plan. */
export function roomOf(tier: Tier): string {
  const { pagesTotal, pagesPerSource, pdfBytes, runsAtOnce } = plans[tier];
  const pages = `${formatCount(pagesTotal)} pages, up to ${formatCount(pagesPerSource)} per source`;
  return `${pages}; ${formatBytes(pdfBytes)} of PDF files; ${countOf(runsAtOnce, 'run')} at a time`;
}
