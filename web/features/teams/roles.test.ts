import { expect, test } from 'vitest';
import type { Membership } from '#contract/teams.ts';
import { isOnlyAdmin, sortMembers } from './roles.ts';

function member(part: Partial<Membership>): Membership {
  return {
    ...{ membershipId: 'm', teamId: 't', userId: 'u', role: 'reader', state: 'accepted', joinedAt: 0, acceptedAt: 0 },
    ...{ declinedAt: null, inviteInfo: null, email: null, displayName: '', hasPaidSeat: false, accountCredits: null },
    lastInviteSentAt: null,
    ...part,
  };
}

test('members come before invites, sorted by role and then by name', () => {
  const members = [
    member({ displayName: 'zoe', role: 'admin' }),
    member({ email: 'a@b.c', role: 'admin', state: 'invited' }),
    member({ displayName: 'Bo', role: 'reader' }),
    member({ displayName: 'Ada', role: 'admin' }),
    member({ email: 'carl@b.c', role: 'writer' }),
  ];
  expect(sortMembers(members).map(({ displayName, email }) => displayName || email)).toEqual([
    ...['Ada', 'zoe', 'carl@b.c', 'Bo', 'a@b.c'],
  ]);
});

test('an accepted admin is the only admin if no other admin has accepted', () => {
  const ada = member({ membershipId: 'ada', role: 'admin' });
  const bo = member({ membershipId: 'bo', role: 'writer' });
  const invited = member({ membershipId: 'cy', role: 'admin', state: 'invited' });
  expect(isOnlyAdmin(ada, [ada, bo, invited])).toBe(true);
  expect(isOnlyAdmin(bo, [ada, bo, invited])).toBe(false);
  expect(isOnlyAdmin(ada, [ada, { ...bo, role: 'admin' }])).toBe(false);
});
