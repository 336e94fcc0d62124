import { useQuery } from '@tanstack/react-query';
import type { Billing } from '#contract/billing.ts';
import type { Membership } from '#contract/teams.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { countOf, formatUsd } from '../../ui/quantities.ts';
import { useToast } from '../../ui/toast.tsx';
import { ChangeSummary } from './change-summary.tsx';
import { ChangeLoading } from './plan-change.tsx';
import { agreedPriceOf, seatPreviewOptions, useManageSeats } from './queries.ts';

interface MoreSeatDialogProps {
  teamId: string;
  billing: Billing;
  /** Who is to get a seat that is not paid for yet; open while there is someone. */
  member: Membership | undefined;
  /** Memberships with a seat, should it be paid for. */
  seatsAfter: string[];
  onClose: () => void;
}

/** Every paid seat is given: offers one more, with its price. */
export function MoreSeatDialog({ teamId, billing, member, seatsAfter, onClose }: MoreSeatDialogProps) {
  const seats = billing.numberOfPaidSeats + 1;
  const preview = useQuery({ ...seatPreviewOptions(teamId, seats), enabled: member !== undefined });
  const manage = useManageSeats(teamId);
  const toast = useToast();
  const name = member?.displayName || (member?.email ?? '');
  const close = () => {
    manage.reset();
    onClose();
  };
  const fault = manage.error ?? preview.error;
  const dueNowCents = preview.data?.dueNowCents ?? 0;
  return (
    <ConfirmDialog
      isOpen={member !== undefined}
      onClose={close}
      look="action"
      title={`Pay for one more seat, for ${name}?`}
      actionLabel={dueNowCents > 0 ? `Pay ${formatUsd(dueNowCents)}` : 'Add the seat'}
      isBusy={manage.isPending}
      isLoading={preview.isPending}
      error={fault ? sentenceForPeople(fault) : undefined}
      onConfirm={() =>
        preview.data &&
        manage.mutate(
          { paidSeatMembershipIds: seatsAfter, updateSubscription: true, agreedPrice: agreedPriceOf(preview.data) },
          {
            onSuccess: () => {
              close();
              toast({ message: `${name} has a seat` });
            },
          },
        )
      }
    >
      <p>
        {billing.numberOfPaidSeats === 1
          ? 'The only paid seat is assigned.'
          : `All ${countOf(billing.numberOfPaidSeats, 'paid seat')} are assigned.`}{' '}
        Or remove a seat from another member first.
      </p>
      <div className="mt-2">
        {preview.data ? <ChangeSummary preview={preview.data} /> : !fault && <ChangeLoading />}
      </div>
    </ConfirmDialog>
  );
}
