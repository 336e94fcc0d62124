import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, CreditCard } from 'lucide-react';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import type { SubscriptionStatus } from '#contract/billing.ts';
import type { TestPortal } from '#contract/test-billing.ts';
import { discountWords } from '../features/billing/billing-words.ts';
import { useGoToPayment } from '../features/billing/queries.ts';
import { type PortalAct, testPortalOptions, useTestPortal } from '../features/billing/test-mode/queries.ts';
import { TestModeFrame, TestModeQuery } from '../features/billing/test-mode/test-mode-frame.tsx';
import { sentenceForPeople } from '../lib/api-error.ts';
import { titledPage } from '../lib/page-title.tsx';
import { Badge, type Tone } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { countOf, formatDay, formatUsd } from '../ui/quantities.ts';
import { Segments } from '../ui/segments.tsx';

/** The simulated billing portal. It also plays the bank and the merchant, so that every case can be tried. */
function TestPortalScreen() {
  const { portalId = '' } = useParams();
  const portal = useQuery(testPortalOptions(portalId));
  return (
    <TestModeFrame
      title="Test billing portal"
      lead="Change the card, cancel or resume, and advance time to see what happens."
    >
      <TestModeQuery query={portal}>{(found) => <Portal portal={found} />}</TestModeQuery>
    </TestModeFrame>
  );
}

export default titledPage('Test billing portal', TestPortalScreen);

function Portal({ portal }: { portal: TestPortal }) {
  const act = useTestPortal(portal.portalId);
  const goTo = useGoToPayment();
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-soft">
          Billing for <strong className="font-medium text-ink">{portal.payerName}</strong>
        </p>
        <a
          href={portal.returnUrl}
          onClick={(event) => {
            event.preventDefault();
            goTo({ url: portal.returnUrl });
          }}
          className="inline-flex min-h-6 items-center gap-1.5 rounded-xs text-sm text-soft underline-offset-3 hover:text-ink hover:underline"
        >
          <ArrowLeft aria-hidden className="size-4" />
          Leave the portal
        </a>
      </div>
      {act.error && <Notice tone="bad">{sentenceForPeople(act.error)}</Notice>}
      <TestCard
        works={portal.cardWorks}
        isBusy={act.isPending}
        onChange={(works) => act.mutate({ act: 'card', works })}
      />
      <TestSubscription subscription={portal.subscription} act={act} />
      <TestPayments payments={portal.payments} act={act} />
    </>
  );
}

interface TestCardProps {
  works: boolean;
  isBusy: boolean;
  onChange: (works: boolean) => void;
}

/** The simulated card: accepted, or declined from now on. */
function TestCard({ works, isBusy, onChange }: TestCardProps) {
  return (
    <PortalPart title="Card">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="flex min-w-0 flex-1 basis-60 items-center gap-3">
          <CreditCard aria-hidden className="size-5 shrink-0 text-faint" />
          <span role="status" className="text-pretty text-soft">
            {works ? 'A test card that works.' : 'A test card that is always declined.'}
          </span>
        </p>
        <Segments
          label="The card"
          value={works ? 'pays' : 'declined'}
          options={[
            { value: 'pays', label: 'Pays' },
            { value: 'declined', label: 'Is declined' },
          ]}
          onChange={(choice) => !isBusy && onChange(choice === 'pays')}
        />
      </div>
    </PortalPart>
  );
}

type Payment = TestPortal['payments'][number];

const statuses: Record<Payment['status'], { tone: Tone; label: string }> = {
  paid: { tone: 'good', label: 'Paid' },
  open: { tone: 'warn', label: 'Open' },
  refunded: { tone: 'quiet', label: 'Refunded' },
  void: { tone: 'quiet', label: 'Void' },
};

/** All payments in test mode; credit purchases can be refunded. */
function TestPayments({ payments, act }: { payments: Payment[]; act: PortalAct }) {
  return (
    <PortalPart title="Payments">
      {payments.length === 0 ? (
        <p className="text-soft">Nothing has been charged yet.</p>
      ) : (
        <ul className="-my-2 divide-y divide-line">
          {payments.map((payment) => (
            <PaymentRow key={payment.paymentId} payment={payment} act={act} />
          ))}
        </ul>
      )}
    </PortalPart>
  );
}

function PaymentRow({ payment, act }: { payment: Payment; act: PortalAct }) {
  const { paymentId, createdAt, description, totalCents, status, isRefundable } = payment;
  const { tone, label } = statuses[status];
  const isRefunding = act.isPending && act.variables.act === 'refund' && act.variables.paymentId === paymentId;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 py-2.5 sm:grid-cols-[minmax(0,1fr)_auto_4.5rem_4.5rem]">
      <div>
        <p className="text-ink">{description}</p>
        <p className="text-faint text-xs">{formatDay(createdAt)}</p>
      </div>
      <span className="flex justify-end">
        <Badge tone={tone}>{label}</Badge>
      </span>
      <span className="tabular text-ink sm:text-right">{formatUsd(totalCents)}</span>
      {isRefundable && (
        <Button
          size="sm"
          className="justify-self-end"
          aria-label={`Refund ${description}, ${formatUsd(totalCents)}`}
          isBusy={isRefunding}
          onClick={() => !act.isPending && act.mutate({ act: 'refund', paymentId })}
        >
          Refund
        </Button>
      )}
    </li>
  );
}

const subscriptionStatuses: Record<SubscriptionStatus, { tone: Tone; label: string }> = {
  active: { tone: 'good', label: 'Active' },
  past_due: { tone: 'bad', label: 'Past due' },
  unpaid: { tone: 'bad', label: 'Unpaid' },
  incomplete: { tone: 'warn', label: 'Incomplete' },
  canceled: { tone: 'quiet', label: 'Cancelled' },
};

interface TestSubscriptionProps {
  subscription: TestPortal['subscription'];
  act: PortalAct;
}

/** The subscription, its actions, and controls that advance its time. */
function TestSubscription({ subscription, act }: TestSubscriptionProps) {
  if (subscription === null) {
    return (
      <PortalPart title="Subscription">
        <p className="text-soft">No subscription.</p>
      </PortalPart>
    );
  }
  const { tier, quantity, status, periodEndAt, cancelAtPeriodEnd, nextAmountCents, discount } = subscription;
  const isOver = status === 'canceled';
  const { tone, label } =
    cancelAtPeriodEnd && !isOver ? { tone: 'warn' as const, label: 'Ending' } : subscriptionStatuses[status];
  const isDoing = (name: 'advance' | 'cancel' | 'resume') => act.isPending && act.variables.act === name;
  const press = (name: 'advance' | 'cancel' | 'resume') => () => {
    if (!act.isPending) act.mutate({ act: name });
  };
  return (
    <PortalPart title="Subscription">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium text-ink">
          {tier}
          {quantity > 1 && `, ${countOf(quantity, 'seat')}`}
        </span>
        <Badge tone={tone}>{label}</Badge>
      </p>
      {!isOver && (
        <p className="tabular mt-1 text-soft text-sm">
          {cancelAtPeriodEnd
            ? `Ends on ${formatDay(periodEndAt)}. Nothing more is charged.`
            : `${formatUsd(nextAmountCents)} on ${formatDay(periodEndAt)}${discount ? `, with ${discountWords(discount)} by ${discount.code}` : ''}.`}
        </p>
      )}
      {!isOver && (
        <div className="mt-4 flex flex-wrap gap-2">
          <Button isBusy={isDoing('advance')} onClick={press('advance')}>
            {advanceLabel(status, cancelAtPeriodEnd)}
          </Button>
          {cancelAtPeriodEnd ? (
            <Button isBusy={isDoing('resume')} onClick={press('resume')}>
              Resume
            </Button>
          ) : (
            <Button look="quiet" isBusy={isDoing('cancel')} onClick={press('cancel')}>
              Cancel at the end of the period
            </Button>
          )}
        </div>
      )}
    </PortalPart>
  );
}

function advanceLabel(status: SubscriptionStatus, cancelAtPeriodEnd: boolean): string {
  if (status === 'past_due') return 'Advance to the next retry';
  return cancelAtPeriodEnd ? 'Advance to the end' : 'Advance to the next invoice';
}

/** A section of the portal with its heading. */
function PortalPart({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="rounded-xl border-2 border-warn-line border-dashed bg-surface">
      <h2 className="heading-part border-line border-b px-5 py-2.5">{title}</h2>
      <div className="px-5 py-4">{children}</div>
    </section>
  );
}
