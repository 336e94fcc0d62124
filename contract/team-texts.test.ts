import { expect, test } from 'vitest';
import { teamCallFailure } from './team-texts.ts';

test('a failed team call without a server message shows its status if the text has a place for it', () => {
  expect(teamCallFailure('createTeam', 502)).toBe('Failed to create team: 502');
  expect(teamCallFailure('decline', 500)).toBe('Failed to decline invite: 500');
  expect(teamCallFailure('leaveTeam', 500)).toBe('Failed to leave team');
});
