import { Mail, RotateCw, X } from 'lucide-react';
import { type Membership, teamAdministration } from '#contract/teams.ts';
import { useAction } from '../../kit/endpoint-query.ts';
import { useConfirm } from '../../kit/use-confirm.tsx';
import { useFaultToast } from '../../kit/use-fault-toast.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { formatCount } from '../../ui/quantities.ts';
import { RelativeTime, useNow } from '../../ui/relative-time.tsx';
import { useSteps } from '../../ui/steps.tsx';
import { useToast } from '../../ui/toast.tsx';
import { roleTexts } from './roles.ts';

interface PendingMembersProps {
  invites: Membership[];
  teamId: string;
  isAdmin: boolean;
}

/** Addresses with pending invites; nothing if there are none. */
export function PendingMembers({ invites, teamId, isAdmin }: PendingMembersProps) {
  const withdrawing = useConfirm(
    {
      title: ({ email }: Membership) => `Withdraw the invite to ${email}?`,
      body: () => 'The link in the email stops working immediately. You can invite the address again later.',
      actionLabel: 'Withdraw invite',
      toast: ({ email }) => `Invite to ${email} withdrawn`,
    },
    useAction(teamAdministration.removeMember, { invalidates: ['teamMembers'] }),
    ({ membershipId }) => ({ teamId, membershipId }),
  );
  const { shown, listRef, more } = useSteps<Membership, HTMLUListElement>('Pending invites', invites);
  if (invites.length === 0) return null;
  return (
    <section aria-labelledby="pending">
      <h2 id="pending" className="heading-part mb-2.5 flex items-baseline gap-2">
        Pending invites
        <span className="tabular font-normal text-faint text-sm">{formatCount(invites.length)}</span>
      </h2>
      <ul ref={listRef} className="divide-y divide-line rounded-lg border border-line bg-surface shadow-sm">
        {shown.map((invite) => (
          <li key={invite.membershipId} className="flex items-center gap-3 px-4 py-2.5">
            <PendingMember invite={invite} />
            {isAdmin && <InviteActions invite={invite} teamId={teamId} onWithdraw={() => withdrawing.ask(invite)} />}
          </li>
        ))}
      </ul>
      {more}
      {withdrawing.dialog}
    </section>
  );
}

function PendingMember({ invite }: { invite: Membership }) {
  const now = useNow(30_000);
  const expiresAt = invite.inviteInfo?.expiresAt;
  const isExpired = expiresAt !== undefined && expiresAt <= now;
  return (
    <>
      <span
        aria-hidden
        className="flex size-8 shrink-0 items-center justify-center rounded-full border border-line-strong border-dashed text-faint max-md:hidden"
      >
        <Mail className="size-3.5" />
      </span>
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere font-medium text-ink">{invite.email}</p>
        <p className="flex flex-wrap items-center gap-x-2 text-faint text-xs">
          {isExpired ? <Badge tone="warn">Expired</Badge> : <Badge tone="busy">Pending</Badge>}
          <span>
            {roleTexts[invite.role].label}, sent <RelativeTime at={invite.lastInviteSentAt ?? invite.joinedAt} />
          </span>
        </p>
      </div>
    </>
  );
}

interface InviteActionsProps {
  invite: Membership;
  teamId: string;
  onWithdraw: () => void;
}

function InviteActions({ invite, teamId, onWithdraw }: InviteActionsProps) {
  const resend = useAction(teamAdministration.resendInvite, { invalidates: ['teamMembers'] });
  const toast = useToast();
  const tellFault = useFaultToast();
  return (
    <div className="flex gap-1.5">
      <Button
        size="sm"
        aria-label={`Resend the invite to ${invite.email}`}
        isBusy={resend.isPending}
        onClick={() =>
          resend.mutate(
            { teamId, membershipId: invite.membershipId },
            {
              onSuccess: () => toast({ message: `A new invite is on its way to ${invite.email}`, durationMs: 3_000 }),
              onError: tellFault,
            },
          )
        }
      >
        {!resend.isPending && <RotateCw aria-hidden className="size-4 md:hidden" />}
        <span className="max-md:hidden">Resend</span>
      </Button>
      <Button look="quiet" size="sm" aria-label={`Withdraw the invite to ${invite.email}`} onClick={onWithdraw}>
        <X aria-hidden className="size-4 md:hidden" />
        <span className="max-md:hidden">Withdraw</span>
      </Button>
    </div>
  );
}
