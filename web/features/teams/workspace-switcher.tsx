import { useQuery } from '@tanstack/react-query';
import { Check, ChevronsUpDown, Plus } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { Link } from 'react-router';
import { useSession } from '../../lib/session.ts';
import { membershipsOptions, pendingInvites, teamsOptions } from '../../lib/team-queries.ts';
import { individualWorkspace, useWorkspace } from '../../lib/workspace.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Popover } from '../../ui/popover.tsx';
import { countOf } from '../../ui/quantities.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { InviteEntry } from './invite-entry.tsx';
import { nameOf, roleTexts } from './roles.ts';

interface Entry {
  id: string;
  name: string;
  about: string;
}

/** Shows the selected workspace, and links to the others, to invites and to a new team. */
export function WorkspaceSwitcher() {
  const [isOpen, setIsOpen] = useState(false);
  const [workspace, select] = useWorkspace();
  const teams = useQuery(teamsOptions);
  const memberships = useQuery(membershipsOptions);
  const user = useSession().data?.user;
  if (!user) return null;

  const own: Entry = { id: individualWorkspace, name: nameOf(user), about: 'Individual' };
  const entries: Entry[] = (teams.data ?? []).map(({ teamId, name }) => {
    const role = memberships.data?.find((known) => known.teamId === teamId && known.state === 'accepted')?.role;
    return { id: teamId, name, about: role === undefined ? 'Team' : `Team, ${roleTexts[role].label.toLowerCase()}` };
  });
  const current = [own, ...entries].find(({ id }) => id === workspace);
  const hasFailed = teams.isError && !teams.data;
  const invites = pendingInvites(memberships.data);
  const close = () => setIsOpen(false);
  const choose = (id: string) => {
    select(id);
    close();
  };
  return (
    <Popover
      label="Workspaces"
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      className="w-72"
      trigger={<SwitcherButton current={current} hasFailed={hasFailed} inviteCount={invites.length} />}
    >
      <p className="px-2.5 pt-1.5 pb-1 font-medium text-2xs text-faint">Workspaces</p>
      <ul>
        {[own, ...entries].map((entry) => (
          <li key={entry.id}>
            <WorkspaceLine entry={entry} isCurrent={entry.id === workspace} onChoose={() => choose(entry.id)} />
          </li>
        ))}
      </ul>
      {hasFailed && (
        <div role="alert" className="flex items-center justify-between gap-2 px-2.5 py-1.5 text-soft text-sm">
          <span key={teams.errorUpdatedAt}>Couldn't load your teams.</span>
          <Button size="sm" isBusy={teams.isFetching} onClick={() => void teams.refetch()}>
            Try again
          </Button>
        </div>
      )}
      {invites.length > 0 && (
        <>
          <p className="mt-1 border-line border-t px-2.5 pt-2.5 pb-1 font-medium text-2xs text-faint">Invites</p>
          <ul>
            {invites.map((invite) => (
              <li key={invite.membershipId} className="px-2.5 py-2">
                <InviteEntry invite={invite} onAccepted={close} />
              </li>
            ))}
          </ul>
        </>
      )}
      <div className="mt-1 border-line border-t pt-1">
        <Link
          to="/create-team"
          onClick={close}
          className="flex min-h-9 items-center gap-2.5 rounded-md px-2.5 text-sm hover:bg-hover"
        >
          <span className="flex size-6 items-center justify-center text-faint">
            <Plus aria-hidden className="size-4" />
          </span>
          Create team
        </Link>
      </div>
    </Popover>
  );
}

interface SwitcherButtonProps extends ComponentProps<'button'> {
  /** Undefined until the selected team is known. */
  current: Entry | undefined;
  /** True if reading the teams failed, so the selected team stays unknown. */
  hasFailed: boolean;
  inviteCount: number;
}

/** Passes the popover's trigger props on to the button. */
function SwitcherButton({ current, hasFailed, inviteCount, ...trigger }: SwitcherButtonProps) {
  return (
    <button
      type="button"
      {...trigger}
      className="relative flex h-11 w-full min-w-0 items-center gap-2.5 rounded-lg border border-line-strong bg-surface pr-2 pl-2 text-left shadow-sm hover:bg-hover aria-expanded:bg-hover"
    >
      {current ? (
        <>
          <Avatar name={current.name} shape={current.id === individualWorkspace ? 'round' : 'square'} size="sm" />
          <span className="min-w-0 flex-1">
            <span className="sr-only">Workspace: </span>
            <span title={current.name} className="block truncate font-medium text-ink text-sm leading-4.5">
              {current.name}
            </span>
            <span className="block truncate text-faint text-2xs leading-3.5">{current.about}</span>
          </span>
        </>
      ) : (
        <>
          <span className="sr-only">Workspace</span>
          {hasFailed ? (
            <span className="truncate text-danger text-sm">Teams not loaded</span>
          ) : (
            <>
              <Skeleton className="size-6" />
              <Skeleton className="h-3.5 w-24" />
            </>
          )}
        </>
      )}
      {inviteCount > 0 && (
        <span className="tabular absolute -top-1.5 -right-1.5 flex h-4.5 min-w-4.5 items-center justify-center rounded-full bg-lamp px-1 font-semibold text-2xs text-canvas">
          {inviteCount}
          <span className="sr-only"> {countOf(inviteCount, 'pending invite').replace(/^\S+ /, '')}</span>
        </span>
      )}
      <ChevronsUpDown aria-hidden className="ml-auto size-3.5 shrink-0 text-faint" />
    </button>
  );
}

function WorkspaceLine({ entry, isCurrent, onChoose }: { entry: Entry; isCurrent: boolean; onChoose: () => void }) {
  return (
    <button
      type="button"
      aria-current={isCurrent || undefined}
      onClick={onChoose}
      className="flex min-h-11 w-full items-center gap-2.5 rounded-md px-2.5 py-1 text-left hover:bg-hover"
    >
      <Avatar name={entry.name} shape={entry.id === individualWorkspace ? 'round' : 'square'} size="sm" />
      <span className="min-w-0 flex-1">
        <span className="wrap-anywhere block font-medium text-ink text-sm leading-4.5">{entry.name}</span>
        <span className="block truncate text-faint text-xs leading-4">{entry.about}</span>
      </span>
      {isCurrent && <Check aria-hidden className="size-3.5 shrink-0 text-lamp" />}
    </button>
  );
}
