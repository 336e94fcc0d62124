import type { Billing } from '#contract/billing.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { formatDay } from '../../ui/quantities.ts';
import { useToast } from '../../ui/toast.tsx';
import { standingOf } from './billing-words.ts';
import { PortalButton } from './portal-button.tsx';
import { type Payer, useResumeSubscription } from './queries.ts';

interface StandingNoticeProps {
  payer: Payer;
  billing: Billing;
}

/** What one should know about the subscription, with what to do about it. Nothing while all is well. */
export function StandingNotice({ payer, billing }: StandingNoticeProps) {
  const standing = standingOf(billing);
  const whose = payer === null ? 'Your' : "The team's";
  switch (standing.state) {
    case 'past-due':
      return (
        <Notice
          tone="bad"
          title="The last payment failed"
          action={<PortalButton payer={payer} label="Change the card…" look="action" />}
        >
          {whose} {billing.tier} plan stays active while the payment is retried. Add a working card to keep it.
        </Notice>
      );
    case 'ending':
      return (
        <Notice
          tone="warn"
          title={`${whose} ${billing.tier} plan ends${standing.at === null ? ' soon' : ` on ${formatDay(standing.at)}`}`}
          action={<ResumeButton payer={payer} tier={billing.tier} />}
        >
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
          Subscribe again to get monthly credits. Bought credits are still there.
        </Notice>
      ) : null;
    case 'none':
    case 'active':
      return null;
  }
}

/** Takes a cancellation back. */
export function ResumeButton({ payer, tier, size }: { payer: Payer; tier: string; size?: 'sm' | 'md' }) {
  const toast = useToast();
  const resume = useResumeSubscription(payer, () => toast({ message: `You keep ${tier}` }));
  return (
    <Button
      size={size ?? 'md'}
      isBusy={resume.isPending}
      onClick={() =>
        resume.mutate(undefined, {
          onError: (error) => toast({ message: sentenceForPeople(error), tone: 'bad', durationMs: 5_000 }),
        })
      }
    >
      Keep {tier}
    </Button>
  );
}
