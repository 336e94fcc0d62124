import { expect, test } from 'vitest';
import { failureOf } from './endpoint.ts';
import { teamAdministration } from './teams.ts';

test('a failed team call without a server message shows its status if the text has a place for it', () => {
  const { createTeam, respondToInvite, leaveTeam, inviteMembers } = teamAdministration;
  expect(failureOf(createTeam, { teamName: 'Docs' }, 502)).toBe('Failed to create team: 502');
  expect(failureOf(respondToInvite, { teamId: 't', response: 'decline' }, 500)).toBe('Failed to decline invite: 500');
  expect(failureOf(leaveTeam, {}, 500)).toBe('Failed to leave team');
  expect(failureOf({ ...inviteMembers, failure: undefined }, {}, 500)).toBeUndefined();
});
