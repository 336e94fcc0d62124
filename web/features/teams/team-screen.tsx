import { useQuery } from '@tanstack/react-query';
import { UserRoundPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { type SelectedTeam, teamMembersOptions } from '../../lib/team-queries.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { ActionLink } from '../../ui/button-link.tsx';
import { countOf } from '../../ui/quantities.ts';
import { TableLoading } from '../../ui/skeleton.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { AskAnAdmin } from './ask-an-admin.tsx';
import { LogTab } from './log-tab.tsx';
import { MemberTable, type MemberTableProps } from './member-table.tsx';
import { PendingMembers } from './pending-members.tsx';
import { sortMembers } from './roles.ts';
import { SettingsTab } from './settings-tab.tsx';
import { TeamNeeded } from './team-needed.tsx';

const tabNames = ['members', 'plan', 'settings', 'log'] as const;
type TabName = (typeof tabNames)[number];

interface TeamScreenProps {
  /** The team's plan and payments; a separate feature, passed in by the route. */
  plan: ReactNode;
  /** Settings of the team's own sign-in provider; for admins. */
  signOn: (teamId: string) => ReactNode;
}

/** The selected team's page. Other members see what admins can do, but without the controls. */
export function TeamScreen({ plan, signOn }: TeamScreenProps) {
  return (
    <TeamNeeded title="Team">
      {(selected) => <TeamPage key={selected.team.teamId} {...selected} plan={plan} signOn={signOn} />}
    </TeamNeeded>
  );
}

function TeamPage({ plan, signOn, ...selected }: SelectedTeam & TeamScreenProps) {
  const { team, isAdmin } = selected;
  const [params, setParams] = useSearchParams();
  const panels: Partial<Record<TabName, { label: string; panel: ReactNode }>> = {
    members: { label: 'Members', panel: <MembersTab {...selected} /> },
    plan: { label: 'Plan and seats', panel: plan },
    settings: { label: 'Settings', panel: <SettingsTab {...selected} signOn={signOn(team.teamId)} /> },
    ...(isAdmin ? { log: { label: 'Audit log', panel: <LogTab team={team} /> } } : {}),
  };
  const tabs = tabNames.flatMap((name) => {
    const tab = panels[name];
    return tab === undefined ? [] : [{ name, ...tab }];
  });
  const shown = tabs.find(({ name }) => name === params.get('tab'))?.name ?? 'members';
  const show = (name: TabName) =>
    setParams(name === 'members' ? {} : { tab: name }, { replace: true, preventScrollReset: true });
  return (
    <div className="page flex flex-col gap-6 py-10">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <div className="flex min-w-0 items-center gap-4">
          <Avatar name={team.name} shape="square" size="lg" />
          <div className="min-w-0">
            <h1 className="heading-page">{team.name}</h1>
            <p className="mt-0.5 flex flex-wrap items-center gap-2 text-soft text-sm">
              {countOf(team.memberIds.length, 'member')}
              <Badge>{team.tier}</Badge>
            </p>
          </div>
        </div>
        {isAdmin && (
          <ActionLink to="/add-members">
            <UserRoundPlus aria-hidden className="size-4" />
            Add members
          </ActionLink>
        )}
      </div>
      <Tabs label="Team sections" value={shown} onChange={show} tabs={tabs} panelClassName="pt-6" />
    </div>
  );
}

/** The team's members and pending invites. */
function MembersTab({ team, isAdmin }: SelectedTeam) {
  const members = useQuery(teamMembersOptions(team.teamId));
  if (members.data) return <Members members={sortMembers(members.data)} teamId={team.teamId} isAdmin={isAdmin} />;
  if (members.isError) {
    return <RetryNotice query={members} title="Couldn't load the members" />;
  }
  return <TableLoading label="Loading members…" rows={3} height="h-15" />;
}

function Members({ members, teamId, isAdmin }: MemberTableProps) {
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
