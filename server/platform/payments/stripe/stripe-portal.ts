import type Stripe from 'stripe';
import { asked, idempotent } from './stripe-faults.ts';

/** Names our configuration at Stripe; another number when what it allows changes. */
const name = 'lectern-1';

/**
 * Returns the configuration that the portal opens with, which is made when it is not there. Plans and quantities cannot be
 * changed in it: Stripe would pay back time whose credits were used.
 */
export function portalConfiguration(stripe: Stripe): () => Promise<string> {
  let known: Promise<string> | undefined;
  return () => {
    known ??= findOrMake(stripe).catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}

async function findOrMake(stripe: Stripe): Promise<string> {
  const { data } = await asked(() => stripe.billingPortal.configurations.list({ active: true, limit: 100 }));
  const found = data.find(({ metadata }) => metadata?.['name'] === name);
  if (found !== undefined) return found.id;
  const made = await asked(() =>
    stripe.billingPortal.configurations.create(
      {
        metadata: { name },
        features: {
          invoice_history: { enabled: true },
          payment_method_update: { enabled: true },
          subscription_cancel: { enabled: true, mode: 'at_period_end' },
          subscription_update: { enabled: false },
        },
      },
      idempotent(`portal:${name}`),
    ),
  );
  return made.id;
}
