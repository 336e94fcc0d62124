import { useQuery } from '@tanstack/react-query';
import { UsersRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { membershipsOptions, type SelectedTeam, teamsOptions, useSelectedTeam } from '../../lib/team-queries.ts';
import { selectWorkspace } from '../../lib/workspace.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';

interface TeamNeededProps {
  /** The heading shown if no team is selected. */
  title: string;
  children: (selected: SelectedTeam) => ReactNode;
}

/** Shows a screen of the selected team; if none is selected, links to the teams. */
export function TeamNeeded({ title, children }: TeamNeededProps) {
  const selected = useSelectedTeam();
  const teams = useQuery(teamsOptions);
  const memberships = useQuery(membershipsOptions);
  if (selected) return children(selected);
  const failed = [teams, memberships].find(({ isError, data }) => isError && data === undefined);
  return (
    <div className="page flex flex-col gap-6 py-10">
      <h1 className="heading-page">{title}</h1>
      {failed ? (
        <RetryNotice
          query={{ ...failed, refetch: () => Promise.all([teams.refetch(), memberships.refetch()]) }}
          title="Couldn't load your teams"
        />
      ) : selected === null && teams.data ? (
        <NoTeam names={teams.data.map(({ teamId, name }) => ({ id: teamId, name }))} />
      ) : (
        <Loading label="Loading the team…" className="flex flex-col gap-3">
          <Skeleton className="h-4 w-64" />
          <Skeleton className="h-52 w-full" />
        </Loading>
      )}
    </div>
  );
}

function NoTeam({ names }: { names: { id: string; name: string }[] }) {
  return (
    <EmptyState
      icon={<UsersRound aria-hidden className="size-5" />}
      title="You are working in your own workspace"
      action={
        <>
          {names.length > 0 && (
            <ul className="flex w-full max-w-xs flex-col gap-1.5">
              {names.map(({ id, name }) => (
                <li key={id}>
                  <Button className="w-full justify-start! px-2.5!" onClick={() => selectWorkspace(id)}>
                    <Avatar name={name} shape="square" size="sm" />
                    <span className="truncate">{name}</span>
                  </Button>
                </li>
              ))}
            </ul>
          )}
          <Link to="/create-team" className={buttonClasses(names.length === 0 ? 'action' : 'quiet')}>
            Create team
          </Link>
        </>
      }
    >
      {names.length === 0
        ? "A team's members share documentation, keys and credits. You are not in a team yet."
        : 'Select a team.'}
    </EmptyState>
  );
}
