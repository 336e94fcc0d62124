import { jsonOf } from '#contract/lenient.ts';
import { readStored, writeStored } from '../../lib/browser-storage.ts';
import type { Payer } from './queries.ts';

/** What one went to the payment page for. */
export type Purchase = { what: 'plan' } | { what: 'credits'; balanceBefore: number };

/** In this tab's storage, since the payment page may be on another site. */
const nameOf = (payer: Payer) => `purchase:${payer ?? 'person'}`;

/**
 * Keeps what is about to be paid for, so that coming back one can tell whether it has arrived. Where it cannot be stored, the way
 * back says so in general words.
 */
export function rememberPurchase(payer: Payer, purchase: Purchase): void {
  writeStored('sessionStorage', nameOf(payer), JSON.stringify(purchase));
}

/** What was kept; undefined when nothing is, or nothing that can be read. */
export function rememberedPurchase(payer: Payer): Purchase | undefined {
  const kept = jsonOf(readStored('sessionStorage', nameOf(payer)) ?? '') as Purchase | null | undefined;
  return kept?.what === 'plan' || kept?.what === 'credits' ? kept : undefined;
}
