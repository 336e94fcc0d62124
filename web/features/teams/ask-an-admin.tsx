import { useQuery } from '@tanstack/react-query';
import { teamMembersOptions } from '../../lib/team-queries.ts';
import { Notice } from '../../ui/notice.tsx';
import { nameOf } from './roles.ts';

const namesMax = 3;

/** Says why something is not offered to this member, and who can do it. */
export function AskAnAdmin({ teamId, children }: { teamId: string; children: string }) {
  const members = useQuery(teamMembersOptions(teamId)).data ?? [];
  const admins = members.filter(({ role, state }) => role === 'admin' && state === 'accepted').map(nameOf);
  const names = new Intl.ListFormat('en', { type: 'disjunction' }).format(admins.slice(0, namesMax));
  return (
    <Notice tone="info">
      {children} {admins.length > 0 && `Ask ${names}.`}
    </Notice>
  );
}
