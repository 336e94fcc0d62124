import { expect, test } from 'vitest';
import { type AuditEntry, teamAuditActions } from '#contract/audit.ts';
import { actionOf, logParts, remarkOf } from './log-words.ts';

function entry(action: string, detail: AuditEntry['detail'] = {}): AuditEntry {
  return { id: '1', at: 0, action, actor: null, entityId: 'x', entityName: null, detail, team: null };
}

test('log entries are shown in words, and unknown actions by their name', () => {
  expect(actionOf(entry('member.remove'))).toBe('Removed');
  expect(actionOf(entry('shelf.paint'))).toBe('shelf.paint');
  expect(remarkOf(entry('member.set-role', { from: 'writer', to: 'admin' }))).toBe('from Writer to Admin');
  expect(remarkOf(entry('invite.create', { role: 'admin' }))).toBe('as an admin');
  expect(remarkOf(entry('member.leave'))).toBeUndefined();
});

test('the log can be filtered by every kind of entry', () => {
  const parts = new Set<string>(logParts.map(({ value }) => value));
  const nouns = new Set(Object.keys(teamAuditActions).map((action) => action.split('.')[0] ?? ''));
  expect([...nouns].filter((noun) => !parts.has(noun))).toEqual([]);
});
