import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { teamMembersOptions } from '../../lib/team-queries.ts';
import { buttonClasses } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { nameOf } from './roles.ts';

const namesMax = 3;

interface AskAnAdminProps {
  teamId: string;
  children: string;
}

/** Says why an action is not available to this member, and who can do it. */
export function AskAnAdmin({ teamId, children }: AskAnAdminProps) {
  const members = useQuery(teamMembersOptions(teamId)).data ?? [];
  const admins = members.filter(({ role, state }) => role === 'admin' && state === 'accepted').map(nameOf);
  const names = new Intl.ListFormat('en', { type: 'disjunction' }).format(admins.slice(0, namesMax));
  return (
    <Notice tone="info">
      {children} {admins.length > 0 && `Ask ${names}.`}
    </Notice>
  );
}

/** Replaces a screen that only admins can use, and links back to the team. */
export function AdminsOnly(props: AskAnAdminProps) {
  return (
    <>
      <AskAnAdmin {...props} />
      <Link to="/team" className={`${buttonClasses()} self-start`}>
        Back to the team
      </Link>
    </>
  );
}
