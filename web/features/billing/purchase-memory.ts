import type { Payer } from './queries.ts';

/** What one went to the payment page for. */
export type Purchase = { what: 'plan' } | { what: 'credits'; balanceBefore: number };

/** In this tab's storage, since the payment page may be on another site. */
const nameOf = (payer: Payer) => `purchase:${payer ?? 'person'}`;

/** Keeps what is about to be paid for, so that coming back one can tell whether it has arrived. */
export function rememberPurchase(payer: Payer, purchase: Purchase): void {
  try {
    sessionStorage.setItem(nameOf(payer), JSON.stringify(purchase));
  } catch {
    // Storage may be switched off: the way back is then told in general words.
  }
}

/** What was kept; undefined when nothing is, or nothing that can be read. */
export function rememberedPurchase(payer: Payer): Purchase | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(nameOf(payer)) ?? 'null') as Purchase | null;
    return kept?.what === 'plan' || kept?.what === 'credits' ? kept : undefined;
  } catch {
    // Storage may be switched off, or hold something else.
    return undefined;
  }
}
