import { address, text, withoutSlash } from './config-readers.ts';
import type { Variable } from './config-variable.ts';

/** Of payments with Stripe. */
export const stripeVariables = {
  STRIPE_SECRET_KEY: {
    about: 'Secret key of the Stripe account that takes payments; empty runs billing in test mode.',
    type: text.optional(),
    example: '',
  },
  STRIPE_WEBHOOK_SECRET: {
    about: 'Signing secret of the webhook endpoint at Stripe for /webhooks/stripe.',
    type: text.optional(),
    example: '',
  },
  STRIPE_PRICE_BASIC: {
    about: 'Id of the monthly price of a seat on the Basic plan at Stripe; after a comma, ids of prices sold before.',
    type: text.optional(),
    example: '',
  },
  STRIPE_PRICE_PRO: {
    about: 'Id of the monthly price of a seat on the Pro plan at Stripe; after a comma, ids of prices sold before.',
    type: text.optional(),
    example: '',
  },
  STRIPE_PRICE_CREDITS: {
    about: 'Id of the one-time price of a pack of credits at Stripe; after a comma, ids of prices sold before.',
    type: text.optional(),
    example: '',
  },
  STRIPE_URL: {
    about: 'Address of the Stripe API, for testing.',
    type: address('http', 'https').transform(withoutSlash).default('https://api.stripe.com'),
    example: 'https://api.stripe.com',
  },
} satisfies Record<string, Variable<unknown>>;
