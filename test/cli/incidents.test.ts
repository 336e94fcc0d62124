import { expect, test } from 'vitest';
import { newInstallation } from '../services/new-installation.ts';
import { cli, isOneSentence } from './run-cli.ts';

test('incidents are opened, updated, resolved and listed from the command line', async () => {
  const data = ['--data', await newInstallation()];
  const opened = await cli(['incident', 'open', 'Searches are slow', 'We are *looking*.', '--part', 'search', ...data]);
  expect(opened.code).toBe(0);
  const id = opened.output.trim();
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  const updated = await cli(['incident', 'update', id, '--state', 'identified', '--text', 'A full disk', ...data]);
  expect(updated.output).toBe('Searches are slow: identified.\n');
  expect((await cli(['incident', 'resolve', id, ...data])).output).toBe('Searches are slow: resolved.\n');
  const { incidents } = {
    incidents: JSON.parse((await cli(['incident', 'list', '--json', ...data])).output) as unknown,
  };
  expect(incidents).toMatchObject([
    {
      id,
      state: 'resolved',
      severity: 'major',
      parts: ['search'],
      updates: [{ state: 'resolved' }, { body: 'A full disk' }, {}],
    },
  ]);
}, 60_000);

test('invalid input is refused with one sentence and creates no incident', async () => {
  const data = ['--data', await newInstallation()];
  const wrong = [
    ['incident', 'open', 'Title', 'Text', '--severity', 'huge'],
    ['incident', 'open', 'Title', 'Text', '--part', 'host-7'],
    ['incident', 'open', 'Title', 'Text', '--until', 'tomorrow'],
    ['incident', 'open', 'Title', 'Text', '--until', '2026-03-01T22:00'],
    ['incident', 'open', ' ', 'Text'],
  ];
  for (const args of wrong) {
    const { code, errors } = await cli([...args, ...data]);
    expect(code).toBe(2);
    expect(isOneSentence(errors)).toBe(true);
  }
  const unknown = await cli(['incident', 'resolve', 'nothing', ...data]);
  expect([unknown.code, isOneSentence(unknown.errors)]).toEqual([1, true]);
  expect((await cli(['incident', 'list', ...data])).output).toBe('No incidents.\n');
}, 60_000);

test('accounts are created, disabled, listed and deleted from the command line and recorded in the audit log', async () => {
  const data = ['--data', await newInstallation()];
  const invited = await cli(['people', 'invite', 'bea@example.org', '--name', 'Bea', ...data]);
  expect(invited.output).toMatch(/^http:\S+oobCode=[\w-]+\n$/);
  expect((await cli(['people', 'disable', 'bea@example.org', ...data])).output).toBe('bea@example.org is disabled.\n');
  const early = await cli(['people', 'make-operator', 'bea@example.org', ...data]);
  expect([early.code, isOneSentence(early.errors)]).toEqual([1, true]);
  const listed = await cli(['people', 'list', '--query', 'bea', ...data]);
  expect(listed.output).toMatch(/bea@example\.org\s+Bea .* disabled, invited\n$/);
  expect(await cli(['people', 'delete', 'bea@example.org', ...data])).toMatchObject({ code: 2 });
  expect(await cli(['people', 'delete', 'bea@example.org', '--yes', ...data])).toMatchObject({ code: 0 });
  const log = JSON.parse((await cli(['audit', '--action', 'account', '--json', ...data])).output) as {
    action: string;
  }[];
  expect(log.map(({ action }) => action)).toEqual(['account.delete', 'account.disable', 'account.create']);
}, 60_000);
