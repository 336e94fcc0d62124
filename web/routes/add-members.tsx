import { type FormEvent, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import * as limits from '#contract/limits.ts';
import { type InviteOutcome, teamAdministration } from '#contract/teams.ts';
import { AdminsOnly } from '../features/teams/ask-an-admin.tsx';
import { InviteFields } from '../features/teams/invite-fields.tsx';
import { faultsOf, type InviteLine, peopleIn } from '../features/teams/invite-list.ts';
import { hasRefused, InviteOutcomes, invitesSent } from '../features/teams/invite-outcomes.tsx';
import { TeamNeeded } from '../features/teams/team-needed.tsx';
import { useAction } from '../kit/endpoint-query.ts';
import { sentenceForPeople } from '../lib/api-error.ts';
import { titledPage } from '../lib/page-title.tsx';
import type { SelectedTeam } from '../lib/team-queries.ts';
import { Button } from '../ui/button.tsx';
import { ActionLink, ButtonLink } from '../ui/button-link.tsx';
import { Notice } from '../ui/notice.tsx';
import { useToast } from '../ui/toast.tsx';

/** Invites people to the selected team. */
function AddMembersScreen() {
  return (
    <TeamNeeded title="Add members">
      {({ team, isAdmin }) => (
        <div className="page flex flex-col gap-6 py-10">
          <div>
            <h1 className="heading-page">Add members</h1>
            <p className="mt-1 max-w-prose text-soft">
              Invite people to {team.name}. Each gets a link that works for {limits.inviteLifetimeDays} days.
            </p>
          </div>
          {isAdmin ? (
            <AddMembersForm team={team} />
          ) : (
            <AdminsOnly teamId={team.teamId}>Only admins can invite people to this team.</AdminsOnly>
          )}
        </div>
      )}
    </TeamNeeded>
  );
}

export default titledPage('Add members', AddMembersScreen);

function AddMembersForm({ team }: Pick<SelectedTeam, 'team'>) {
  const [lines, setLines] = useState<InviteLine[]>([{ id: 1, email: '', role: 'writer' }]);
  const [faults, setFaults] = useState(new Map<number, string>());
  const [outcomes, setOutcomes] = useState<InviteOutcome[]>();
  const focusLine = useRef<(id: number) => void>(null);
  const invite = useAction(teamAdministration.inviteMembers, { invalidates: ['teamMembers'] });
  const navigate = useNavigate();
  const toast = useToast();

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (invite.isPending) return;
    const people = peopleIn(lines);
    const wrong = faultsOf(lines);
    const first = lines[0]?.id ?? 1;
    if (people.length === 0) wrong.set(first, 'Enter at least one address.');
    setFaults(wrong);
    const [firstWrong] = wrong.keys();
    if (firstWrong !== undefined) return focusLine.current?.(firstWrong);
    const onSuccess = ({ invites }: { invites: InviteOutcome[] }) => {
      if (hasRefused(invites)) return setOutcomes(invites);
      toast({ message: invitesSent(invites) });
      void navigate('/team');
    };
    invite.mutate({ teamId: team.teamId, teamMembers: people }, { onSuccess });
  };

  if (outcomes !== undefined) {
    const again = () => {
      setOutcomes(undefined);
      setLines([{ id: 1, email: '', role: 'writer' }]);
    };
    return (
      <>
        <InviteOutcomes outcomes={outcomes} />
        <div className="flex flex-wrap gap-2">
          <ActionLink to="/team">Go to the team</ActionLink>
          <Button onClick={again}>Invite others</Button>
        </div>
      </>
    );
  }
  return (
    <form onSubmit={submit} noValidate aria-label="Invites" className="flex max-w-3xl flex-col gap-5">
      <div className="rounded-lg border border-line bg-surface p-5 shadow-sm">
        <InviteFields
          lines={lines}
          onChange={(next) => {
            setLines(next);
            setFaults(new Map());
          }}
          faults={faults}
          focusRef={focusLine}
          hasAutoFocus
        />
      </div>
      {invite.error && <Notice tone="bad">{sentenceForPeople(invite.error)}</Notice>}
      <div className="flex justify-end gap-2">
        <ButtonLink to="/team">Cancel</ButtonLink>
        <Button type="submit" look="action" isBusy={invite.isPending}>
          Send invites
        </Button>
      </div>
    </form>
  );
}
