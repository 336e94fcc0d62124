import { jsonOf } from '#contract/lenient.ts';
import { readStored, writeStored } from '../../lib/browser-storage.ts';
import type { Payer } from './queries.ts';

/** The purchase for which the user went to the payment page. */
export type Purchase = { what: 'plan' } | { what: 'credits'; balanceBefore: number };

/** Kept in this tab's storage, because the payment page may be on another site. */
const nameOf = (payer: Payer) => `purchase:${payer ?? 'person'}`;

/**
 * Stores a purchase before the payment, so that its arrival can be detected on return. If storage fails, the message on
 * return stays general.
 */
export function rememberPurchase(payer: Payer, purchase: Purchase): void {
  writeStored('sessionStorage', nameOf(payer), JSON.stringify(purchase));
}

/** Returns the stored purchase, or undefined if there is none or it cannot be read. */
export function rememberedPurchase(payer: Payer): Purchase | undefined {
  const kept = jsonOf(readStored('sessionStorage', nameOf(payer)) ?? '') as Purchase | null | undefined;
  return kept?.what === 'plan' || kept?.what === 'credits' ? kept : undefined;
}
