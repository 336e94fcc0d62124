import { expect, test } from 'vitest';
import { type AuditEntry, teamAuditActions } from '#contract/audit.ts';
import { actionOf, logParts, remarkOf } from './log-words.ts';

function entry(action: string, detail: AuditEntry['detail'] = {}): AuditEntry {
  return { id: '1', at: 0, action, actor: null, entityId: 'x', entityName: null, detail, team: null };
}

test('entries are reported in words, and what has none by its name', () => {
  expect(actionOf(entry('member.remove'))).toBe('Removed');
  expect(actionOf(entry('shelf.paint'))).toBe('shelf.paint');
  expect(remarkOf(entry('member.set-role', { from: 'writer', to: 'admin' }))).toBe('from Writer to Admin');
  expect(remarkOf(entry('invite.create', { role: 'admin' }))).toBe('as an admin');
  expect(remarkOf(entry('member.leave'))).toBeUndefined();
});

test('every kind of entry can be asked for alone', () => {
  const parts = new Set<string>(logParts.map(({ value }) => value));
  const nouns = new Set(Object.keys(teamAuditActions).map((action) => action.split('.')[0] ?? ''));
  expect([...nouns].filter((noun) => !parts.has(noun))).toEqual([]);
});
