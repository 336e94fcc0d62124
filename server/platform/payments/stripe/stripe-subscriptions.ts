import type Stripe from 'stripe';
import { z } from 'zod';
import { discounted, planCents } from '#contract/billing.ts';
import {
  PaymentError,
  type PreviewedChange,
  previewedChangeSchema,
  type SubscriptionCalls,
  type SubscriptionChange,
} from '../payment-provider.ts';
import { asked, found, idempotent, listed, readAs } from './stripe-faults.ts';
import { paidForOf, type StripePrices, subscriptionSnapshot } from './stripe-snapshots.ts';

const expandedSubscription = ['discounts.promotion_code', 'discounts.source.coupon', 'latest_invoice'];

/** Creates the calls for subscriptions, which have one price each and a quantity. */
export function stripeSubscriptions(stripe: Stripe, prices: StripePrices): SubscriptionCalls {
  const retrieve = (id: string) =>
    found(() => stripe.subscriptions.retrieve(id, { expand: expandedSubscription }), 'subscription');
  const required = async (id: string) => {
    const subscription = await retrieve(id);
    const item = subscription && listed(readAs(z.custom<typeof subscription.items>(), () => subscription.items))[0];
    if (subscription === undefined || item === undefined) {
      throw new PaymentError('unavailable', 'the subscription is not there any more');
    }
    return { subscription, item };
  };

  return {
    async findSubscription(id) {
      const subscription = await retrieve(id);
      return subscription && subscriptionSnapshot(subscription, prices);
    },
    previewChange: async (id, change) => preview({ stripe, prices }, id, change, await required(id)),
    async changeSubscription(id, { tier, quantity, proration }, key) {
      const { item } = await required(id);
      const behaviors = { invoice: 'always_invoice', none: 'none' } as const;
      await asked(() =>
        stripe.subscriptions.update(
          id,
          {
            items: [{ id: item.id, price: prices[tier], quantity }],
            proration_behavior: behaviors[proration],
            payment_behavior: 'error_if_incomplete',
          },
          idempotent(key),
        ),
      );
    },
    async setCancelAtPeriodEnd(id, isCancelled) {
      const { subscription } = await required(id);
      if (subscription.status === 'canceled') return;
      // The portal may have set a date instead of the flag, and only one of the two may be sent.
      const isByDate = subscription.cancel_at !== null && !subscription.cancel_at_period_end;
      const change = !isCancelled && isByDate ? { cancel_at: '' as const } : { cancel_at_period_end: isCancelled };
      await asked(() => stripe.subscriptions.update(id, change));
    },
    async endSubscription(id) {
      const subscription = await retrieve(id);
      if (subscription === undefined || subscription.status === 'canceled') return;
      await asked(() => stripe.subscriptions.cancel(id));
    },
  };
}

async function preview(
  { stripe, prices }: { stripe: Stripe; prices: StripePrices },
  id: string,
  { tier, quantity }: Pick<SubscriptionChange, 'tier' | 'quantity'>,
  { subscription, item }: { subscription: Stripe.Subscription; item: Stripe.SubscriptionItem },
): Promise<PreviewedChange> {
  const previewed = await asked(() =>
    stripe.invoices.createPreview({
      subscription: id,
      subscription_details: {
        items: [{ id: item.id, price: prices[tier], quantity }],
        proration_behavior: 'always_invoice',
      },
    }),
  );
  const discount = subscriptionSnapshot(subscription, prices)?.discount ?? null;
  return readAs(previewedChangeSchema, () => ({
    dueNowCents: Math.max(0, previewed.amount_due),
    monthlyCents: discounted(planCents(tier, quantity), discount),
    renewsAt: item.current_period_end * 1000,
    paidFor: paidForOf(previewed.lines.data, prices, 'change'),
  }));
}
