import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import type { Billing, Invoice } from '#contract/billing.ts';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { useSelectedTeam } from '../../lib/team-queries.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ButtonLink } from '../../ui/button-link.tsx';
import { Notice } from '../../ui/notice.tsx';
import { countOf, formatCount, formatDay, formatUsd } from '../../ui/quantities.ts';
import { SettingsRow, SettingsSection } from '../../ui/settings.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { useEntryState } from '../../ui/use-entry-state.ts';
import { PortalButton, StandingNotice, TestModeNote, WhereCreditsAreOn } from './billing-notices.tsx';
import { standingOf } from './billing-words.ts';
import { PackOrder } from './buy-credits.tsx';
import { PaymentOutcomeNotice } from './payment-outcome.tsx';
import { PlanRow } from './plan-row.tsx';
import { billingOptions, invoicesOptions, type Payer } from './queries.ts';

/** The user's billing, for the account page. */
export function AccountBilling() {
  return (
    <SettingsSection id="billing" title="Plan and billing" about="Your plan, payments and card.">
      <WhereCreditsAreOn>
        <BillingRows payer={null} />
      </WhereCreditsAreOn>
    </SettingsSection>
  );
}

/** A team's billing, for the team page. Only admins can read it. */
function TeamBilling({ teamId }: { teamId: string }) {
  return (
    <SettingsSection id="billing" title="Plan and billing" about="The team's plan, payments and card.">
      <WhereCreditsAreOn>
        <BillingRows payer={teamId} />
      </WhereCreditsAreOn>
    </SettingsSection>
  );
}

function BillingRows({ payer }: { payer: Payer }) {
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

/** Returns true if a payment failed or is outstanding. A cancellation is reported with the plan itself. */
function isUnpaid(billing: Billing): boolean {
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

/** A row with its description on the left and its controls on the right. */
function LabelledRow({ label, about, children }: LabelledRowProps) {
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

/** The number of paid seats, and how many of them are assigned. */
function SeatsRow({ billing: { assignedSeats, numberOfPaidSeats } }: { billing: Billing }) {
  const free = numberOfPaidSeats - assignedSeats;
  return (
    <SettingsRow className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 flex-1 basis-52">
        <h3 className="font-medium text-ink text-sm">Seats</h3>
        <p className="tabular mt-0.5 text-faint text-xs">
          {formatCount(assignedSeats)} of {countOf(numberOfPaidSeats, 'paid seat')} assigned to members
          {free > 0 && `; ${formatCount(free)} free`}
        </p>
      </div>
      <ButtonLink to="/team-manage-seats">Manage seats</ButtonLink>
    </SettingsRow>
  );
}

/**
 * The selected team's plan, seats and payments, for the team page. Members see only the plan; the rest is for admins.
 */
export function TeamPlan() {
  const selected = useSelectedTeam();
  if (!selected) return null;
  const { team, isAdmin } = selected;
  if (isAdmin) return <TeamBilling teamId={team.teamId} />;
  return (
    <Notice tone="info" title={`The team is on ${team.tier}`}>
      Admins manage its plan, seats and payments.
    </Notice>
  );
}

/** Number of invoices shown before the user asks for all. */
const shownAtFirst = 4;

const statuses: Record<Invoice['status'], { tone: Tone; label: string }> = {
  paid: { tone: 'good', label: 'Paid' },
  open: { tone: 'warn', label: 'Open' },
  void: { tone: 'quiet', label: 'Void' },
  refunded: { tone: 'quiet', label: 'Refunded' },
};

/** The invoices, newest first. */
function InvoiceRows({ payer }: { payer: Payer }) {
  return (
    <SettingsRow>
      <h3 className="font-medium text-ink text-sm">Invoices</h3>
      <div className="mt-2">
        <Invoices payer={payer} />
      </div>
    </SettingsRow>
  );
}

function Invoices({ payer }: { payer: Payer }) {
  const query = useQuery(invoicesOptions(payer));
  const [isWhole, setIsWhole] = useEntryState('Invoices', false);
  if (query.data === undefined) {
    if (query.isError) {
      return <RetryNotice query={query} title="Couldn't load invoices" isSmall />;
    }
    return (
      <Loading label="Loading invoices…" className="flex flex-col gap-3 py-1">
        <Skeleton className="h-4 w-full" />
        <Skeleton className="h-4 w-4/5" />
      </Loading>
    );
  }
  if (query.data.length === 0) return <p className="text-faint text-sm">Nothing has been charged yet.</p>;
  const shown = isWhole ? query.data : query.data.slice(0, shownAtFirst);
  const rest = query.data.length - shown.length;
  return (
    <>
      <table className="tabular w-full border-collapse text-left text-sm">
        <caption className="sr-only">Invoices, newest first</caption>
        <thead className="sr-only">
          <tr>
            {['Day', 'For', 'Status', 'Amount'].map((label) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((invoice) => (
            <InvoiceRow key={invoice.invoiceId} invoice={invoice} />
          ))}
        </tbody>
      </table>
      {rest > 0 && (
        <Button look="quiet" size="sm" className="mt-1.5 -ml-2.5" onClick={() => setIsWhole(true)}>
          Show {countOf(rest, 'older invoice')}
        </Button>
      )}
    </>
  );
}

function InvoiceRow({ invoice: { createdAt, description, status, totalCents, url } }: { invoice: Invoice }) {
  const { tone, label } = statuses[status];
  return (
    <tr className="border-line border-t first:border-t-0">
      <td className="whitespace-nowrap py-2 pr-4 text-faint max-sm:hidden">{formatDay(createdAt)}</td>
      <td className="wrap-anywhere py-2 pr-4 text-ink">
        {url === null ? (
          description
        ) : (
          <a href={url} target="_blank" rel="noreferrer" className="rounded-xs underline underline-offset-3">
            {description}
          </a>
        )}
        <span className="block text-faint text-xs sm:hidden">{formatDay(createdAt)}</span>
      </td>
      <td className="py-2 pr-4">
        <Badge tone={tone}>{label}</Badge>
      </td>
      <td className="py-2 text-right text-ink">{formatUsd(totalCents)}</td>
    </tr>
  );
}
