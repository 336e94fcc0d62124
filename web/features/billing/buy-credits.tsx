import { useQuery } from '@tanstack/react-query';
import { Coins } from 'lucide-react';
import { useState } from 'react';

import { creditPackCents } from '#contract/billing.ts';
import * as limits from '#contract/limits.ts';
import { creditPack } from '#contract/plans.ts';
import { Fault } from '../../kit/fault.tsx';
import { creditInfoOptions } from '../../lib/credit-queries.ts';
import { individualWorkspace } from '../../lib/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonLink } from '../../ui/button-link.tsx';
import { formatCount, formatUsd } from '../../ui/quantities.ts';
import { QuantityField } from '../../ui/quantity-field.tsx';
import { rememberPurchase } from './purchase-memory.ts';
import { type Payer, useGoToPayment, usePurchaseCredits } from './queries.ts';

interface BuyCreditsProps {
  payer: Payer;
  isSignedIn: boolean;
}

/** Sells credit packs in addition to the plan. */
export function BuyCredits({ payer, isSignedIn }: BuyCreditsProps) {
  return (
    <section
      id="credits"
      aria-labelledby="credits-title"
      className="flex scroll-mt-2 flex-wrap items-center gap-x-10 gap-y-5 rounded-xl border border-line bg-surface p-5 shadow-sm sm:p-6"
    >
      <div className="min-w-0 flex-1 basis-72">
        <h2 id="credits-title" className="heading-part flex items-center gap-2">
          <Coins aria-hidden className="size-4 text-lamp" />
          More credits
        </h2>
        <p className="mt-1 max-w-prose text-pretty text-soft">
          {formatCount(creditPack.credits)} credits for ${creditPack.usd}, one-time, on any plan. They don't expire and
          are used after the monthly credits.
        </p>
      </div>
      {isSignedIn ? (
        <PackOrder payer={payer} />
      ) : (
        <ButtonLink to={`/login?cont=${encodeURIComponent('/subscribe#credits')}`}>Sign in to buy credits</ButtonLink>
      )}
    </section>
  );
}

/** Number of packs, their total, and a button to the payment page. */
export function PackOrder({ payer }: { payer: Payer }) {
  // Read before the payment, to detect afterwards whether the credits have arrived.
  const balance = useQuery(creditInfoOptions(payer ?? individualWorkspace)).data?.purchasedCredits;
  const [packs, setPacks] = useState(1);
  const purchase = usePurchaseCredits(payer);
  const goToPayment = useGoToPayment();
  const amount = packs * creditPack.credits;
  const buy = () => {
    if (balance !== undefined) rememberPurchase(payer, { what: 'credits', balanceBefore: balance });
    purchase.mutate({ packs, amount }, { onSuccess: goToPayment });
  };
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
        <QuantityField
          label={`Packs of ${formatCount(creditPack.credits)}`}
          value={packs}
          max={limits.creditPacksPerPurchaseMax}
          onChange={setPacks}
        />
        <Button isBusy={purchase.isPending} onClick={buy} className="tabular">
          Buy {formatCount(amount)} for {formatUsd(packs * creditPackCents)}
        </Button>
      </div>
      <Fault error={purchase.error} />
    </div>
  );
}
