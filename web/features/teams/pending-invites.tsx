import { useQuery } from '@tanstack/react-query';
import { membershipsOptions, pendingInvites } from '../../lib/team-queries.ts';
import { InviteEntry } from './invite-entry.tsx';

/** The invites that wait for the signed-in person; nothing where there are none. */
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
