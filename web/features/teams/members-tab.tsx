import { useQuery } from '@tanstack/react-query';
import type { Membership } from '#contract/teams.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { type SelectedTeam, teamMembersOptions } from '../../lib/team-queries.ts';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { AskAnAdmin } from './ask-an-admin.tsx';
import { MemberTable } from './member-table.tsx';
import { PendingMembers } from './pending-members.tsx';
import { sortMembers } from './roles.ts';

/** Who belongs to the team, and who is invited. */
export function MembersTab({ team, isAdmin }: SelectedTeam) {
  const members = useQuery(teamMembersOptions(team.teamId));
  if (members.data) return <Members members={sortMembers(members.data)} teamId={team.teamId} isAdmin={isAdmin} />;
  if (members.isError) {
    return (
      <RetryNotice query={members} title="Couldn't load the members">
        {sentenceForPeople(members.error)}
      </RetryNotice>
    );
  }
  return (
    <Loading label="Loading members…" className="overflow-hidden rounded-lg border border-line bg-surface">
      <div className="h-9 border-line border-b bg-sunken" />
      {[0, 1, 2].map((row) => (
        <div key={row} className="flex h-15 items-center gap-3 border-line border-b px-4 last:border-b-0">
          <Skeleton className="size-8" />
          <span className="flex flex-1 flex-col gap-1.5">
            <Skeleton className="h-4 w-36" />
            <Skeleton className="h-3 w-44" />
          </span>
          <Skeleton className="h-4 w-16" />
        </div>
      ))}
    </Loading>
  );
}

interface MembersProps {
  members: Membership[];
  teamId: string;
  isAdmin: boolean;
}

function Members({ members, teamId, isAdmin }: MembersProps) {
  const accepted = members.filter(({ state }) => state === 'accepted');
  const invited = members.filter(({ state }) => state === 'invited');
  return (
    <div className="flex flex-col gap-8">
      {!isAdmin && <AskAnAdmin teamId={teamId}>Only admins can invite and remove people and change roles.</AskAnAdmin>}
      <MemberTable members={accepted} teamId={teamId} isAdmin={isAdmin} />
      <PendingMembers invites={invited} teamId={teamId} isAdmin={isAdmin} />
    </div>
  );
}
