import { expect, test } from 'vitest';
import { teamCallFailure } from './team-texts.ts';

test('a call that failed without a word of the server is reported with its status, where the text has a place for it', () => {
  expect(teamCallFailure('createTeam', 502)).toBe('Failed to create team: 502');
  expect(teamCallFailure('decline', 500)).toBe('Failed to decline invite: 500');
  expect(teamCallFailure('leaveTeam', 500)).toBe('Failed to leave team');
});
