import { useQuery } from '@tanstack/react-query';
import { inviteToastSeconds, teamTexts } from '#contract/team-texts.ts';
import type { Membership } from '#contract/teams.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { membershipsOptions, pendingInvites } from '../../lib/team-queries.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useToast } from '../../ui/toast.tsx';
import { useRespondToInvite } from './queries.ts';
import { roleTexts } from './roles.ts';

interface InviteEntryProps {
  invite: Membership;
  onAccepted?: () => void;
  /** Puts the buttons beside the text if there is space. */
  isWide?: boolean;
}

/** A pending invite. */
export function InviteEntry({ invite, onAccepted, isWide = false }: InviteEntryProps) {
  const { answer, underWay } = useAnswerInvite(invite, onAccepted);
  const teamName = invite.inviteInfo?.teamName ?? 'A team';
  const invitedBy = invite.inviteInfo?.invitedBy ?? null;
  return (
    <div className={classNames('flex flex-wrap items-center gap-x-3 gap-y-2.5', isWide && 'sm:flex-nowrap')}>
      <Avatar name={teamName} shape="square" size={isWide ? 'md' : 'sm'} isOutline />
      <div className="min-w-0 flex-1 basis-40">
        <p className="font-medium text-ink text-sm">{teamName}</p>
        <p className="text-faint text-xs">
          {invitedBy === null ? 'Invites' : `${invitedBy} invites`} you as {roleTexts[invite.role].asOne}.
        </p>
      </div>
      <div className={classNames('flex gap-2', !isWide && 'w-full pl-9')}>
        <Button
          look="action"
          size="sm"
          aria-label={`Accept the invite to ${teamName}`}
          isBusy={underWay === 'accept'}
          onClick={() => answer('accept')}
        >
          Accept
        </Button>
        <Button
          size="sm"
          aria-label={`Decline the invite to ${teamName}`}
          isBusy={underWay === 'decline'}
          onClick={() => answer('decline')}
        >
          Decline
        </Button>
      </div>
    </div>
  );
}

interface AnswerInvite {
  answer: (response: 'accept' | 'decline') => void;
  /** The response being sent. */
  underWay: 'accept' | 'decline' | undefined;
}

/** Accepts or declines an invite and shows the result. */
function useAnswerInvite({ teamId, inviteInfo }: Membership, onAnswered?: () => void): AnswerInvite {
  const respond = useRespondToInvite();
  const toast = useToast();
  const answer = (response: 'accept' | 'decline') => {
    if (respond.isPending) return;
    respond.mutateAsync({ teamId, response }).then(
      () => {
        const declined = `Invite to ${inviteInfo?.teamName ?? 'the team'} declined`;
        toast({
          message: response === 'accept' ? teamTexts.inviteAccepted : declined,
          durationMs: inviteToastSeconds.accepted * 1_000,
        });
        if (response === 'accept') onAnswered?.();
      },
      (error: unknown) =>
        toast({
          message: sentenceForPeople(error),
          tone: 'bad',
          durationMs: inviteToastSeconds.refused * 1_000,
        }),
    );
  };
  return { answer, underWay: respond.isPending ? respond.variables.response : undefined };
}

/** The signed-in user's pending invites; nothing if there are none. */
export function PendingInvites() {
  const invites = pendingInvites(useQuery(membershipsOptions).data);
  if (invites.length === 0) return null;
  return (
    <section aria-label="Invites" className="page pt-6">
      <ul className="divide-y divide-lamp-line rounded-lg border border-lamp-line bg-lamp-ground">
        {invites.map((invite) => (
          <li key={invite.membershipId} className="px-4 py-3 sm:px-5">
            <InviteEntry invite={invite} isWide />
          </li>
        ))}
      </ul>
    </section>
  );
}
