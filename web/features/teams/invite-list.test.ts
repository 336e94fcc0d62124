import { expect, test } from 'vitest';
import { addressesIn, faultsOf, type InviteLine, peopleIn, withPasted } from './invite-list.ts';

const line = (id: number, email: string): InviteLine => ({ id, email, role: 'writer' });

test('addresses in pasted text are found, each once', () => {
  expect(addressesIn('Ada <ada@example.org>, bo@example.org;\ncy@example.org ada@example.org')).toEqual([
    'ada@example.org',
    'bo@example.org',
    'cy@example.org',
  ]);
});

test('pasted addresses fill the current line and new lines below it, without known addresses', () => {
  const lines = withPasted([line(1, ''), line(2, 'bo@example.org')], 1, ['ada@x.y', 'BO@example.org', 'cy@x.y']);
  expect(lines.map(({ email }) => email)).toEqual(['ada@x.y', 'cy@x.y', 'bo@example.org']);
  expect(new Set(lines.map(({ id }) => id)).size).toBe(3);
});

test('invalid and duplicate addresses are reported at their lines, and empty lines are ignored', () => {
  const lines = [line(1, 'ada@example.org'), line(2, ''), line(3, 'bo'), line(4, ' Ada@example.org ')];
  expect([...faultsOf(lines).keys()]).toEqual([3, 4]);
  expect(peopleIn(lines).map(({ email }) => email)).toEqual(['ada@example.org', 'bo', 'Ada@example.org']);
});
