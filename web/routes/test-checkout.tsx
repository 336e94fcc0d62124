import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import type { Discount } from '#contract/billing.ts';
import { type TestCheckout, testBillingEndpoints } from '#contract/test-billing.ts';
import { discountCents, discountWords } from '../features/billing/billing-words.ts';
import { PriceLines } from '../features/billing/price-lines.tsx';
import { PromotionField } from '../features/billing/promotion-field.tsx';
import { useGoToPayment } from '../features/billing/queries.ts';
import {
  testCheckoutOptions,
  useDeclineTestCheckout,
  usePayTestCheckout,
} from '../features/billing/test-mode/queries.ts';
import { TestModeFrame, TestModeQuery } from '../features/billing/test-mode/test-mode-frame.tsx';
import { useAction } from '../kit/endpoint-query.ts';
import { Fault } from '../kit/fault.tsx';
import { titledPage } from '../lib/page-title.tsx';
import { Button } from '../ui/button.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Notice } from '../ui/notice.tsx';
import { countOf, formatUsd } from '../ui/quantities.ts';

/** Simulated payment page: the user chooses how the payment ends. */
function TestCheckoutScreen() {
  const { checkoutId = '' } = useParams();
  const checkout = useQuery(testCheckoutOptions(checkoutId));
  return (
    <TestModeFrame title="Test payment" lead="Decide how this payment ends, as a customer and their bank would.">
      <TestModeQuery query={checkout}>{(found) => <Checkout checkout={found} />}</TestModeQuery>
    </TestModeFrame>
  );
}

export default titledPage('Test payment', TestCheckoutScreen);

function Checkout({ checkout }: { checkout: TestCheckout }) {
  switch (checkout.status) {
    case 'open':
      return <OpenCheckout checkout={checkout} />;
    case 'complete':
      return (
        <Notice tone="info" title="Already paid" action={<Leave />}>
          {checkout.description}, {formatUsd(checkout.totalCents)}, for {checkout.payerName}.
        </Notice>
      );
    case 'expired':
      return (
        <Notice tone="warn" title="This page is closed" action={<Leave />}>
          It was left unpaid. Nothing was charged; start again from the plans.
        </Notice>
      );
  }
}

function Leave() {
  return <ButtonLink to="/subscribe">See the plans</ButtonLink>;
}

function OpenCheckout({ checkout }: { checkout: TestCheckout }) {
  const { checkoutId, description, payerName, quantity, unitCents, totalCents } = checkout;
  const [added, setAdded] = useState<Discount | null>(null);
  const goOn = useGoToPayment();
  const pay = usePayTestCheckout(checkoutId, goOn);
  const decline = useDeclineTestCheckout(checkoutId);
  const cancel = useAction(testBillingEndpoints.cancelTestCheckout, { onDone: goOn });
  const isBusy = pay.isPending || decline.isPending || cancel.isPending;
  const fault = pay.error ?? decline.error ?? cancel.error;
  const full = quantity * unitCents;
  const discount = checkout.discount ?? added;
  const total = added === null ? totalCents : full - discountCents(full, added);
  return (
    <>
      {checkout.wasDeclined && !pay.isPending && (
        <Notice tone="bad" title="The card was declined">
          Nothing was charged. Try again, or pay with a card that works.
        </Notice>
      )}
      <div className="grid gap-x-10 gap-y-6 rounded-xl border-2 border-warn-line border-dashed bg-surface p-5 sm:p-6 md:grid-cols-2">
        <div className="flex flex-col gap-4">
          <div>
            <h2 className="heading-part">{description}</h2>
            <p className="text-faint text-sm">For {payerName}</p>
          </div>
          <PriceLines
            lines={[
              {
                label: checkout.kind === 'subscription' ? 'Each month' : 'Once',
                ...(quantity > 1
                  ? {
                      note: `${countOf(quantity, checkout.kind === 'subscription' ? 'seat' : 'pack')} at ${formatUsd(unitCents)}`,
                    }
                  : {}),
                cents: full,
              },
              ...(discount === null
                ? []
                : [{ label: discount.code, note: discountWords(discount), cents: total - full }]),
            ]}
            total={{ label: 'Due today', cents: total }}
          />
          {checkout.kind === 'subscription' && checkout.discount === null && (
            <PromotionField applied={added} onChange={setAdded} />
          )}
        </div>
        <div className="flex flex-col gap-2.5 border-line max-md:border-t max-md:pt-6 md:border-l md:pl-10">
          <h2 className="heading-part">Choose the outcome</h2>
          <Button look="action" isBusy={pay.isPending} onClick={() => !isBusy && pay.mutate(added?.code)}>
            Pay with a test card
          </Button>
          <Button isBusy={decline.isPending} onClick={() => !isBusy && decline.mutate()}>
            Decline the card
          </Button>
          <Button look="quiet" isBusy={cancel.isPending} onClick={() => !isBusy && cancel.mutate({ checkoutId })}>
            Cancel and go back
          </Button>
          <Fault error={fault} />
        </div>
      </div>
    </>
  );
}
