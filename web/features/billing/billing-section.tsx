import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import type { Billing as BillingState } from '#contract/billing.ts';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { SettingsRow, SettingsSection } from '../../ui/settings.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { standingOf } from './billing-words.ts';
import { PackOrder } from './buy-credits.tsx';
import { WhereCreditsAreOn } from './credits-off.tsx';
import { InvoiceRows } from './invoice-rows.tsx';
import { PaymentOutcomeNotice } from './payment-outcome.tsx';
import { PlanRow } from './plan-row.tsx';
import { PortalButton } from './portal-button.tsx';
import { billingOptions, type Payer } from './queries.ts';
import { SeatsRow } from './seats-row.tsx';
import { StandingNotice } from './standing-notice.tsx';
import { TestModeNote } from './test-mode-note.tsx';

/** The billing of the person, for the page of their account. */
export function AccountBilling() {
  return (
    <SettingsSection id="billing" title="Plan and billing" about="Your plan, payments and card.">
      <WhereCreditsAreOn>
        <Billing payer={null} />
      </WhereCreditsAreOn>
    </SettingsSection>
  );
}

/** The billing of a team, for its page. Only admins may read it. */
export function TeamBilling({ teamId }: { teamId: string }) {
  return (
    <SettingsSection id="billing" title="Plan and billing" about="The team's plan, payments and card.">
      <WhereCreditsAreOn>
        <Billing payer={teamId} />
      </WhereCreditsAreOn>
    </SettingsSection>
  );
}

function Billing({ payer }: { payer: Payer }) {
  const query = useQuery(billingOptions(payer));
  const hasOutcome = useSearchParams()[0].has('payment');
  if (query.data) {
    const billing = query.data;
    return (
      <>
        {billing.mode === 'test' && (
          <SettingsRow className="py-2.5">
            <TestModeNote mode={billing.mode} />
          </SettingsRow>
        )}
        {payer !== null && hasOutcome && (
          <SettingsRow>
            <PaymentOutcomeNotice payer={payer} billing={billing} />
          </SettingsRow>
        )}
        {isUnpaid(billing) && (
          <SettingsRow>
            <StandingNotice payer={payer} billing={billing} />
          </SettingsRow>
        )}
        <PlanRow payer={payer} billing={billing} />
        {payer !== null && billing.tier !== 'Free' && <SeatsRow billing={billing} />}
        <LabelledRow label="Credits" about="Packs don't expire and are used after the monthly credits.">
          <PackOrder payer={payer} />
        </LabelledRow>
        {billing.hasPortal && (
          <>
            <LabelledRow label="Card" about="Change it, or see past payments, in the billing portal.">
              <PortalButton payer={payer} label="Open the portal" />
            </LabelledRow>
            <InvoiceRows payer={payer} />
          </>
        )}
      </>
    );
  }
  if (query.isError) {
    return (
      <SettingsRow>
        <RetryNotice query={query} title="Couldn't load plan and payments" isSmall />
      </SettingsRow>
    );
  }
  return (
    <SettingsRow>
      <Loading label="Loading billing…" className="flex items-center justify-between gap-4">
        <div className="flex flex-col gap-2">
          <Skeleton className="h-5 w-32" />
          <Skeleton className="h-4 w-56" />
        </div>
        <Skeleton className="h-9 w-28 rounded-md" />
      </Loading>
    </SettingsRow>
  );
}

/** A cancellation is reported with the plan itself. */
function isUnpaid(billing: BillingState): boolean {
  const standing = standingOf(billing);
  return (
    standing.state === 'past-due' ||
    standing.state === 'incomplete' ||
    (standing.state === 'ended' && standing.isUnpaid)
  );
}

interface LabelledRowProps {
  label: string;
  about: ReactNode;
  children: ReactNode;
}

/** What it is on the left, what one does about it on the right. */
export function LabelledRow({ label, about, children }: LabelledRowProps) {
  return (
    <SettingsRow className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 flex-1 basis-52">
        <h3 className="font-medium text-ink text-sm">{label}</h3>
        <p className="mt-0.5 text-pretty text-faint text-xs">{about}</p>
      </div>
      {children}
    </SettingsRow>
  );
}
