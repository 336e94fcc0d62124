import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, CreditCard } from 'lucide-react';
import { useParams } from 'react-router';
import type { TestPortal } from '#contract/test-billing.ts';
import { sentenceForPeople } from '../../../lib/api-error.ts';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { formatDay, formatUsd } from '../../../ui/quantities.ts';
import { Segments } from '../../../ui/segments.tsx';
import { useGoToPayment } from '../use-go-to-payment.ts';
import { PortalPart } from './portal-part.tsx';
import { type PortalAct, testPortalOptions, useTestPortal } from './queries.ts';
import { TestModeFrame } from './test-mode-frame.tsx';
import { TestModeQuery } from './test-mode-query.tsx';
import { TestSubscription } from './test-subscription.tsx';

/** The billing portal where payments are made up: also the bank's and the shop's side, so that every course can be tried. */
export function TestPortalScreen() {
  const { portalId = '' } = useParams();
  const portal = useQuery(testPortalOptions(portalId));
  return (
    <TestModeFrame
      title="Test billing portal"
      lead="Change the card, cancel or resume, and let time pass to see what follows."
    >
      <TestModeQuery query={portal}>{(found) => <Portal portal={found} />}</TestModeQuery>
    </TestModeFrame>
  );
}

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

/** The made-up card: one that pays, or one that is declined from now on. */
function TestCard({ works, isBusy, onChange }: TestCardProps) {
  return (
    <PortalPart title="Card">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="flex min-w-0 flex-1 basis-60 items-center gap-3">
          <CreditCard aria-hidden className="size-5 shrink-0 text-faint" />
          <span role="status" className="text-pretty text-soft">
            {works ? 'A made-up card that pays.' : 'A made-up card that is declined whenever it is charged.'}
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

/** Everything that was charged in the test mode; purchases of credits can be given back. */
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
