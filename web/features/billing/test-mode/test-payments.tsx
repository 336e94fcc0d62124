import type { TestPortal } from '#contract/test-billing.ts';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { formatUsd } from '../../../ui/quantities.ts';
import { formatDay } from '../billing-words.ts';
import { PortalPart } from './portal-part.tsx';
import type { PortalAct } from './queries.ts';

type Payment = TestPortal['payments'][number];

const statuses: Record<Payment['status'], { tone: Tone; label: string }> = {
  paid: { tone: 'good', label: 'Paid' },
  open: { tone: 'warn', label: 'Open' },
  refunded: { tone: 'quiet', label: 'Refunded' },
  void: { tone: 'quiet', label: 'Void' },
};

/** Everything that was charged in the test mode; purchases of credits can be given back. */
export function TestPayments({ payments, act }: { payments: Payment[]; act: PortalAct }) {
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
        <p className="wrap-anywhere text-ink">{description}</p>
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
