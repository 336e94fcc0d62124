import type { Billing } from '#contract/billing.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { countOf } from '../../ui/quantities.ts';
import { useToast } from '../../ui/toast.tsx';
import { formatDay } from './billing-words.ts';
import { type Payer, useCancelSubscription } from './queries.ts';

interface CancelDialogProps {
  payer: Payer;
  billing: Billing;
  isOpen: boolean;
  onClose: () => void;
}

/** Says what is lost by cancelling, and when, before it is done. */
export function CancelDialog({ payer, billing, isOpen, onClose }: CancelDialogProps) {
  const cancel = useCancelSubscription(payer);
  const toast = useToast();
  const { tier, monthlyAllowance, subscriptionEndDate, numberOfPaidSeats, discount } = billing;
  const day = subscriptionEndDate === null ? 'the end of the period' : formatDay(subscriptionEndDate);
  const close = () => {
    cancel.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={close}
      title={payer === null ? `Cancel your ${tier} plan?` : `Cancel the team's ${tier} plan?`}
      actionLabel="Cancel plan"
      cancelLabel={`Keep ${tier}`}
      isBusy={cancel.isPending}
      error={cancel.error ? sentenceForPeople(cancel.error) : undefined}
      onConfirm={() =>
        cancel.mutate(undefined, {
          onSuccess: () => {
            close();
            toast({ message: `${tier} ends on ${day}` });
          },
        })
      }
    >
      <p>
        It is paid until <strong className="font-medium text-ink">{day}</strong> and stays active until then. After
        that:
      </p>
      <ul className="flex list-disc flex-col gap-1 pl-5 text-sm">
        <li>
          The {countOf(monthlyAllowance, 'credit')} are no longer added each month, and unused monthly credits are lost.
        </li>
        {payer !== null && (
          <li>
            You lose {countOf(numberOfPaidSeats, 'paid seat')}. Members then use the credits of their own accounts.
          </li>
        )}
        {discount && <li>The discount of {discount.code} ends with the plan.</li>}
        <li>Bought credits and everything you indexed are kept.</li>
      </ul>
    </ConfirmDialog>
  );
}
