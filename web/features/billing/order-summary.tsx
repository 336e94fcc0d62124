import { useState } from 'react';
import { type Billing, type Discount, type PaidTier, planCents } from '#contract/billing.ts';
import { Fault } from '../../kit/fault.tsx';
import { Button } from '../../ui/button.tsx';
import { countOf, formatUsd } from '../../ui/quantities.ts';
import { discountCents, discountWords } from './billing-words.ts';
import { PriceLines } from './price-lines.tsx';
import { PromotionField } from './promotion-field.tsx';
import { rememberPurchase } from './purchase-memory.ts';
import { type Payer, useGoToPayment, useSubscribe } from './queries.ts';

interface OrderSummaryProps {
  payer: Payer;
  billing: Billing;
  tier: PaidTier;
  seats: number;
}

/** A new subscription's price, with a promotion code, and a button to the payment page. */
export function OrderSummary({ payer, billing, tier, seats }: OrderSummaryProps) {
  const [discount, setDiscount] = useState<Discount | null>(null);
  const subscribe = useSubscribe(payer);
  const goToPayment = useGoToPayment();
  const full = planCents(tier, seats);
  const off = discountCents(full, discount);
  const line = {
    label: payer === null ? `${tier}, each month` : `${tier}, ${countOf(seats, 'seat')}, each month`,
    ...(payer === null ? {} : { note: `${formatUsd(planCents(tier, 1))} a seat` }),
    cents: full,
  };
  const order = {
    tier,
    numberOfSeats: seats,
    priceId: billing.priceIds[tier],
    ...(discount === null ? {} : { promotionCode: discount.code }),
  };
  return (
    <div className="flex flex-col gap-4">
      <PriceLines
        lines={[
          line,
          ...(discount === null ? [] : [{ label: discount.code, note: discountWords(discount), cents: -off }]),
        ]}
        total={{ label: 'Due today', cents: full - off }}
      />
      <PromotionField applied={discount} onChange={setDiscount} />
      <Fault error={subscribe.error} />
      <Button
        look="action"
        className="w-full"
        isBusy={subscribe.isPending}
        onClick={() => {
          rememberPurchase(payer, { what: 'plan' });
          subscribe.mutate(order, { onSuccess: goToPayment });
        }}
      >
        Continue to payment
      </Button>
      <p className="text-pretty text-faint text-xs">
        Renews each month at {formatUsd(full - off)} until you cancel. If you cancel, the plan stays active until the
        end of the paid month.
      </p>
    </div>
  );
}
