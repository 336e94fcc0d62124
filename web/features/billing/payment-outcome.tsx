import { useQuery } from '@tanstack/react-query';
import { CircleCheck, LoaderCircle } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import type { Billing } from '#contract/billing.ts';
import { creditInfoOptions } from '../../lib/credit-queries.ts';
import { individualWorkspace } from '../../lib/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { ActionLink, ButtonLink } from '../../ui/button-link.tsx';
import { Notice } from '../../ui/notice.tsx';
import { formatCount } from '../../ui/quantities.ts';
import { allowanceWords } from './billing-words.ts';
import { rememberedPurchase } from './purchase-memory.ts';
import { billingOptions, type Payer } from './queries.ts';

/** Polling interval for a payment's effect, in case the live update does not arrive. */
const askAgainMs = 2_000;

interface PaymentOutcomeNoticeProps {
  payer: Payer;
  billing: Billing;
}

/** Result of the payment the user has just returned from. It updates when the payment arrives. */
export function PaymentOutcomeNotice({ payer, billing }: PaymentOutcomeNoticeProps) {
  const [params, setParams] = useSearchParams();
  const dismiss = () =>
    setParams(
      (query) => {
        query.delete('payment');
        return query;
      },
      { replace: true, preventScrollReset: true },
    );
  switch (params.get('payment')) {
    case 'done':
      return <Done payer={payer} billing={billing} />;
    case 'cancelled':
      return (
        <Notice
          tone="info"
          title="Payment cancelled"
          action={
            <Button size="sm" onClick={dismiss}>
              Dismiss
            </Button>
          }
        >
          You left the payment page. Nothing has changed; you can start again at any time.
        </Notice>
      );
    default:
      return null;
  }
}

function Done({ payer, billing }: PaymentOutcomeNoticeProps) {
  const purchase = rememberedPurchase(payer);
  switch (purchase?.what) {
    case 'plan':
      return <Subscribed payer={payer} billing={billing} />;
    case 'credits':
      return <CreditsBought payer={payer} before={purchase.balanceBefore} />;
    case undefined:
      return (
        <Arrived title="Thank you" actions={<ToDashboard />}>
          Your purchase appears here and on the dashboard once the payment is confirmed.
        </Arrived>
      );
  }
}

function Subscribed({ payer, billing }: PaymentOutcomeNoticeProps) {
  const isThere = billing.tier !== 'Free';
  useQuery({ ...billingOptions(payer), refetchInterval: isThere ? false : askAgainMs });
  if (!isThere) {
    return (
      <Waiting title="Confirming your payment…">
        The plan starts once the payment is confirmed, usually within seconds. This page updates automatically.
      </Waiting>
    );
  }
  return (
    <Arrived
      title={payer === null ? `You are on ${billing.tier}` : `The team is on ${billing.tier}`}
      actions={
        payer === null ? (
          <>
            <ActionLink to="/dashboard">Go to the dashboard</ActionLink>
            <ButtonLink to="/install">Connect an agent</ButtonLink>
          </>
        ) : (
          <ToDashboard />
        )
      }
    >
      {payer !== null && 'Now assign the seats to members. '}
      {allowanceWords(billing.monthlyAllowance, payer === null ? 1 : billing.numberOfPaidSeats)}, ready to use. Find the
      invoice under billing.
    </Arrived>
  );
}

function CreditsBought({ payer, before }: { payer: Payer; before: number }) {
  const credits = useQuery({
    ...creditInfoOptions(payer ?? individualWorkspace),
    refetchInterval: ({ state }) => ((state.data?.purchasedCredits ?? 0) > before ? false : askAgainMs),
  });
  const balance = credits.data?.purchasedCredits ?? before;
  if (balance <= before) {
    return (
      <Waiting title="Confirming your payment…">
        The credits are added once the payment is confirmed, usually within seconds. This page updates automatically.
      </Waiting>
    );
  }
  return (
    <Arrived title={`${formatCount(balance - before)} credits added`} actions={<ToDashboard />}>
      The balance is {formatCount(balance)} now. These credits don't expire.
    </Arrived>
  );
}

function ToDashboard() {
  return <ActionLink to="/dashboard">Go to the dashboard</ActionLink>;
}

function Waiting({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div role="status" className="flex gap-4 rounded-xl border border-line-strong bg-sunken px-5 py-5 sm:px-6">
      <LoaderCircle aria-hidden className="mt-0.5 size-5 shrink-0 animate-[turn_0.9s_linear_infinite] text-faint" />
      <div>
        <p className="heading-part">{title}</p>
        <p className="mt-0.5 text-pretty text-soft">{children}</p>
      </div>
    </div>
  );
}

function Arrived({ title, actions, children }: { title: string; actions: ReactNode; children: ReactNode }) {
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-6 gap-y-4 rounded-xl border border-lamp-line bg-lamp-ground px-5 py-5 sm:px-6"
    >
      <div className="flex min-w-0 flex-1 basis-72 gap-4">
        <CircleCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-lamp" />
        <div>
          <p className="heading-part">{title}</p>
          <p className="mt-0.5 text-pretty text-soft">{children}</p>
        </div>
      </div>
      <div className="flex flex-wrap gap-2">{actions}</div>
    </div>
  );
}
