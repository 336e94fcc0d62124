import { useQuery } from '@tanstack/react-query';
import { FlaskConical } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Billing, PaymentMode } from '#contract/billing.ts';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { useFaultToast } from '../../kit/use-fault-toast.ts';
import { ApiError, sentenceForPeople } from '../../lib/api-error.ts';
import { siteOptions } from '../../lib/site.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { formatDay } from '../../ui/quantities.ts';
import { useToast } from '../../ui/toast.tsx';
import { isEnding, standingOf } from './billing-words.ts';
import { type Payer, useGoToPayment, useOpenPortal, useResumeSubscription } from './queries.ts';

interface StandingNoticeProps {
  payer: Payer;
  billing: Billing;
}

/** The most important notice about the subscription, with its remedy; nothing if none is needed. */
export function StandingNotice({ payer, billing }: StandingNoticeProps) {
  const standing = standingOf(billing);
  const whose = payer === null ? 'Your' : "The team's";
  const plan = `${whose} ${billing.tier} plan`;
  const endsAt = billing.subscriptionEndDate;
  const ends = `${plan} ends ${endsAt === null ? 'soon' : `on ${formatDay(endsAt)}`}`;
  switch (standing.state) {
    case 'past-due':
      return (
        <Notice
          tone="bad"
          title="The last payment failed"
          action={
            <>
              <PortalButton payer={payer} label="Change the card…" look="action" />
              {isEnding(billing) && <ResumeButton payer={payer} tier={billing.tier} />}
            </>
          }
        >
          {isEnding(billing)
            ? `${ends}.`
            : `${plan} stays active while the payment is retried. Add a working card to keep it.`}
        </Notice>
      );
    case 'ending':
      return (
        <Notice tone="warn" title={ends} action={<ResumeButton payer={payer} tier={billing.tier} />}>
          Until then nothing changes. Nothing more will be charged.
        </Notice>
      );
    case 'incomplete':
      return (
        <Notice
          tone="warn"
          title="The first payment did not go through"
          action={billing.hasPortal && <PortalButton payer={payer} label="Open the portal" />}
        >
          No plan has started and nothing was charged. Choose a plan to try again.
        </Notice>
      );
    case 'ended':
      return standing.isUnpaid ? (
        <Notice tone="warn" title={`${whose} plan has ended because it was not paid`}>
          Subscribe again to get monthly credits. Purchased credits are kept.
        </Notice>
      ) : null;
    case 'none':
    case 'active':
      return null;
  }
}

/** Takes a cancellation back. */
export function ResumeButton({ payer, tier }: { payer: Payer; tier: string }) {
  const toast = useToast();
  const tellFault = useFaultToast();
  const resume = useResumeSubscription(payer, () => toast({ message: `You keep ${tier}` }));
  return (
    <Button isBusy={resume.isPending} onClick={() => resume.mutate(undefined, { onError: tellFault })}>
      Keep {tier}
    </Button>
  );
}

/** Shows its children if this installation charges for calls, otherwise a note that nothing is for sale. */
export function WhereCreditsAreOn({ children }: { children: ReactNode }) {
  const site = useQuery(siteOptions).data;
  if (site?.areCreditsOn !== false) return children;
  return (
    <Notice tone="info" title="Searches and reads are free here">
      This installation doesn't charge for anything, so there are no plans to choose and no credits to buy.
    </Notice>
  );
}

/** Says, wherever something is paid for, that payments are simulated. */
export function TestModeNote({ mode }: { mode: PaymentMode | undefined }) {
  if (mode !== 'test') return null;
  return (
    <p className="flex items-start gap-2 text-pretty text-sm text-warn">
      <FlaskConical aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>
        <strong className="font-semibold">Test mode.</strong> You don't need a card, and no real money moves.
      </span>
    </p>
  );
}

interface BillingFaultProps {
  query: { error: unknown; isFetching: boolean; refetch: () => unknown };
}

/** Shown while the billing state is unknown: nothing can be bought or changed. */
export function BillingFault({ query }: BillingFaultProps) {
  return <RetryNotice query={query} title="Couldn't load plan and payments" />;
}

interface PortalButtonProps {
  payer: Payer;
  label: string;
  look?: 'plain' | 'action';
  size?: 'sm' | 'md';
}

/** Opens the billing portal in place of this page. */
export function PortalButton({ payer, label, look = 'plain', size = 'md' }: PortalButtonProps) {
  const open = useOpenPortal(payer);
  const goToPayment = useGoToPayment();
  const tellFault = useFaultToast();
  return (
    <Button
      look={look}
      size={size}
      isBusy={open.isPending}
      onClick={() =>
        open.mutate(undefined, {
          onSuccess: goToPayment,
          onError: tellFault,
        })
      }
    >
      {label}
    </Button>
  );
}

interface ChangeFaultProps {
  payer: Payer;
  error: unknown;
}

/** Why a change failed; a declined card can be changed in the portal. */
export function ChangeFault({ payer, error }: ChangeFaultProps) {
  if (!error) return null;
  return (
    <div role="alert" className="flex flex-col items-start gap-2">
      <p className="text-danger text-sm">{sentenceForPeople(error)}</p>
      {error instanceof ApiError && error.code === 'payment-declined' && (
        <PortalButton payer={payer} label="Change the card…" size="sm" />
      )}
    </div>
  );
}
