import { Ellipsis, LogOut, UserRoundMinus } from 'lucide-react';
import { type Membership, teamAdministration, teamRoles } from '#contract/teams.ts';
import { useAction } from '../../kit/endpoint-query.ts';
import { useConfirm } from '../../kit/use-confirm.tsx';
import { useFaultToast } from '../../kit/use-fault-toast.ts';
import { useSession } from '../../lib/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, MenuItem, MenuNote } from '../../ui/menu.tsx';
import { countOf } from '../../ui/quantities.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { actionsColumn, type Column, Table } from '../../ui/table.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useSetMemberRole } from './queries.ts';
import { RoleSelect } from './role-select.tsx';
import { isOnlyAdmin, nameOf, roleTexts } from './roles.ts';
import { useLeaving } from './use-leaving.tsx';

export interface MemberTableProps {
  members: Membership[];
  teamId: string;
  isAdmin: boolean;
}

interface RowActions {
  ownId: string | undefined;
  onRemove: (member: Membership) => void;
  onLeave: (membershipId: string) => void;
}

/** Members with their roles. Admins can change and remove them; everyone can leave. */
export function MemberTable({ members, teamId, isAdmin }: MemberTableProps) {
  const removing = useConfirm(
    {
      title: (member: Membership) => `Remove ${nameOf(member)} from the team?`,
      body: (member) =>
        `${nameOf(member)} loses access to the team's documentation immediately, and their team keys are revoked. Sources they added are kept.`,
      actionLabel: 'Remove',
      toast: (member) => `${nameOf(member)} is no longer in the team`,
    },
    useAction(teamAdministration.removeMember, { invalidates: ['teamMembers'] }),
    ({ membershipId }) => ({ teamId, membershipId }),
  );
  const leaving = useLeaving(teamId);
  const ownId = useSession().data?.user?.uid;
  return (
    <>
      <Table
        caption="Members"
        columns={columnsFor({ members, teamId, isAdmin, ownId, onRemove: removing.ask, onLeave: leaving.ask })}
        rows={members}
        rowKey={({ membershipId }) => membershipId}
      />
      {removing.dialog}
      {leaving.dialog}
    </>
  );
}

function columnsFor(props: MemberTableProps & RowActions): Column<Membership>[] {
  return [
    {
      id: 'member',
      label: 'Member',
      sortBy: nameOf,
      cell: (member) => (
        <div className="flex min-w-0 items-center gap-3">
          <span className="max-md:hidden">
            <Avatar name={nameOf(member)} />
          </span>
          <div className="min-w-0 flex-1">
            <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
              <span className="wrap-anywhere font-medium text-ink">{nameOf(member)}</span>
              {member.userId === props.ownId && <Badge>You</Badge>}
            </p>
            {member.displayName !== '' && <p className="wrap-anywhere text-faint text-xs">{member.email}</p>}
            <div className="md:hidden">
              <SeatCell member={member} />
            </div>
          </div>
          <div className="md:hidden">
            <RoleCell member={member} {...props} />
          </div>
        </div>
      ),
    },
    {
      id: 'role',
      label: 'Role',
      isWide: true,
      sortBy: ({ role }) => teamRoles.indexOf(role),
      cell: (member) => <RoleCell member={member} {...props} />,
    },
    {
      id: 'seat',
      label: 'Pays with',
      isWide: true,
      sortBy: ({ hasPaidSeat, accountCredits }) => (hasPaidSeat ? -1 : (accountCredits ?? 0)),
      cell: (member) => <SeatCell member={member} />,
    },
    {
      id: 'joined',
      label: 'Joined',
      isWide: true,
      sortBy: joinedAtOf,
      cell: (member) => (
        <span className="text-soft">
          <RelativeTime at={joinedAtOf(member)} />
        </span>
      ),
    },
    actionsColumn((member) => <MemberMenu member={member} {...props} />),
  ];
}

function joinedAtOf({ acceptedAt, joinedAt }: Membership): number {
  return acceptedAt ?? joinedAt;
}

function RoleCell({ member, members, teamId, isAdmin }: { member: Membership } & MemberTableProps) {
  const setRole = useSetMemberRole(teamId);
  const toast = useToast();
  const tellFault = useFaultToast();
  const { label } = roleTexts[member.role];
  if (!isAdmin || isOnlyAdmin(member, members)) return <span className="text-soft text-sm">{label}</span>;
  return (
    <RoleSelect
      of={nameOf(member)}
      value={member.role}
      className="w-28"
      onChange={(role) =>
        role !== member.role &&
        setRole.mutate(
          { membershipId: member.membershipId, role },
          {
            onSuccess: () =>
              toast({
                message: `${nameOf(member)} is now ${roleTexts[role].asOne}`,
              }),
            onError: tellFault,
          },
        )
      }
    />
  );
}

/** The member's seat, or the balance of a member without a seat. */
function SeatCell({ member: { hasPaidSeat, accountCredits } }: { member: Membership }) {
  if (hasPaidSeat) return <Badge tone="good">Paid seat</Badge>;
  return (
    <span className="text-faint text-sm max-md:text-xs">
      Own account{accountCredits === null ? '' : `, ${countOf(accountCredits, 'credit')}`}
    </span>
  );
}

function MemberMenu({
  member,
  members,
  isAdmin,
  ownId,
  onRemove,
  onLeave,
}: { member: Membership } & MemberTableProps & RowActions) {
  const isOwn = member.userId === ownId;
  if (!isOwn && !isAdmin) return null;
  const isStuck = isOnlyAdmin(member, members);
  return (
    <Menu trigger={<IconButton icon={Ellipsis} label={`More for ${nameOf(member)}`} />}>
      {isStuck ? (
        <MenuNote>
          <span className="block max-w-56">
            {isOwn
              ? 'You are the only admin. Make another member an admin before you leave or change your role.'
              : "A team's only admin can't be changed."}
          </span>
        </MenuNote>
      ) : isOwn ? (
        <MenuItem icon={LogOut} isDangerous onSelect={() => onLeave(member.membershipId)} label="Leave the team…" />
      ) : (
        <MenuItem icon={UserRoundMinus} isDangerous onSelect={() => onRemove(member)} label="Remove…" />
      )}
    </Menu>
  );
}
