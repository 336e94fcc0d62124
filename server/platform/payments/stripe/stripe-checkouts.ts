import type Stripe from 'stripe';
import { z } from 'zod';
import { discountSchema } from '#contract/billing.ts';
import { type Order, PaymentError, type PaymentProvider } from '../payment-provider.ts';
import { asked, found, idempotent, listed, readAs } from './stripe-faults.ts';
import { checkoutSnapshot, promotionOf, returnedShareOf, type StripePrices } from './stripe-snapshots.ts';

const expandedCheckout = ['line_items', 'payment_intent.latest_charge'];

const checkoutSchema = z.object({ checkoutId: z.string(), url: z.string() });

type CheckoutSide = Pick<
  PaymentProvider,
  'openCheckout' | 'expireCheckout' | 'expireCheckouts' | 'findCheckout' | 'findCheckoutOfPayment' | 'findPromotion'
>;

/** Creates the calls for payment pages and promotion codes. */
export function stripeCheckouts(stripe: Stripe, prices: StripePrices): CheckoutSide {
  const findPromotionCode = async (code: string) => {
    const expand = ['data.promotion.coupon'];
    const found = await asked(() => stripe.promotionCodes.list({ code: code.trim(), active: true, limit: 1, expand }));
    const [promotionCode] = listed(found);
    const discount = readAs(discountSchema.optional(), () => promotionCode && promotionOf(promotionCode));
    return promotionCode && discount && { id: promotionCode.id, discount };
  };
  const snapshot = async (session: Stripe.Checkout.Session) =>
    checkoutSnapshot(session, prices, await returnedShareOf(stripe, session.payment_intent));
  return {
    async openCheckout(order, key) {
      const promotion = order.promotionCode === undefined ? null : await findPromotionCode(order.promotionCode);
      if (promotion === undefined) throw new PaymentError('no-promotion', 'promotion code not found');
      const params = checkoutParams(order, prices, promotion?.id);
      const session = await asked(() => stripe.checkout.sessions.create(params, idempotent(key)));
      return readAs(checkoutSchema, () => ({ checkoutId: session.id, url: session.url as string }));
    },
    async expireCheckout(id) {
      const session = await found(() => stripe.checkout.sessions.retrieve(id), 'checkout session');
      if (session?.status === 'open') await asked(() => stripe.checkout.sessions.expire(id));
    },
    async expireCheckouts(customer) {
      const list = () => stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 });
      let open = await found(list, 'customer');
      while (open !== undefined) {
        for (const { id } of listed(open)) await asked(() => stripe.checkout.sessions.expire(id));
        open = open.has_more ? await found(list, 'customer') : undefined;
      }
    },
    async findCheckout(id) {
      const session = await found(
        () => stripe.checkout.sessions.retrieve(id, { expand: expandedCheckout }),
        'checkout session',
      );
      return session && snapshot(session);
    },
    async findCheckoutOfPayment(paymentId) {
      const expand = expandedCheckout.map((path) => `data.${path}`);
      const sessions = await asked(() =>
        stripe.checkout.sessions.list({ payment_intent: paymentId, limit: 1, expand }),
      );
      const [session] = listed(sessions);
      return session && snapshot(session);
    },
    findPromotion: async (code) => (await findPromotionCode(code))?.discount,
  };
}

function checkoutParams(
  order: Order,
  prices: StripePrices,
  promotionId: string | undefined,
): Stripe.Checkout.SessionCreateParams {
  const { payer, buyerId, what, quantity } = order;
  const metadata = { payer, buyer: buyerId };
  const price = what.kind === 'credits' ? prices.credits : prices[what.tier];
  const codes =
    promotionId === undefined ? { allow_promotion_codes: true } : { discounts: [{ promotion_code: promotionId }] };
  const ofKind: Partial<Stripe.Checkout.SessionCreateParams> =
    what.kind === 'credits'
      ? { mode: 'payment', payment_intent_data: { metadata }, invoice_creation: { enabled: true } }
      : { mode: 'subscription', subscription_data: { metadata }, ...codes };
  return {
    ...ofKind,
    customer: order.customerId,
    client_reference_id: payer,
    metadata,
    line_items: [{ price, quantity }],
    success_url: order.returnUrl,
    cancel_url: order.cancelUrl,
  };
}
