import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { cli } from './run-cli.ts';

/** Each test starts the program several times. */
const timeout = 240_000;

async function indexedData(): Promise<string> {
  const data = temporaryFolder();
  const guide = join(temporaryFolder(), 'guide');
  mkdirSync(guide);
  writeFileSync(join(guide, 'looms.md'), '# Looms\n\nThread the heddles before winding the warp.\n');
  expect((await cli(['index', guide, '--name', 'looms', '--data', data])).code).toBe(0);
  return data;
}

function changeRows(data: string, statement: string): unknown[] {
  const db = new DatabaseSync(join(data, 'data.sqlite'));
  try {
    return db.prepare(statement).all();
  } finally {
    db.close();
  }
}

test('a deep check reports inconsistencies and changes nothing', { timeout }, async () => {
  const data = await indexedData();
  const sound = await cli(['doctor', '--deep', '--data', data]);
  expect(sound.code, sound.output).toBe(0);
  for (const area of ['database', 'ledger', 'teams', 'index', 'files', 'runs', 'events']) {
    expect(sound.output).toMatch(new RegExp(`^ok +${area}: `, 'm'));
  }
  changeRows(data, 'update users set credits = credits + 5');
  changeRows(data, 'update modules set snippet_count = snippet_count + 1');
  changeRows(data, "insert into teams (id, name, created_at, created_by) values ('t', 't', 1, 'nobody')");
  const { code, output } = await cli(['doctor', '--deep', '--data', data]);
  expect(output).toMatch(/^fail +ledger: user:\S+ has a balance of \d+ credits, but its ledger rows add up to/m);
  expect(output).toMatch(/^fail +index: looms has \d+ passages, but its row says \d+; index it again$/m);
  expect(output).toMatch(/^fail +teams: team:t has no admin$/m);
  expect(code).toBe(1);
});

test('a repair removes data that no module uses, without touching files, credits or served segments', {
  timeout,
}, async () => {
  const data = await indexedData();
  const orphan = join(data, 'blobs/segments/gone/x.seg');
  mkdirSync(dirname(orphan), { recursive: true });
  writeFileSync(orphan, 'left behind');
  const insert = 'insert into segments (id, module_id, blob_key, created_at)';
  changeRows(data, `${insert} values ('s', 'gone', 'segments/gone/s.seg', 1)`);
  changeRows(data, 'update users set credits = credits + 5');
  const look = await cli(['doctor', '--deep', '--data', data]);
  expect(look.output).toMatch(
    /^warn +files: segments\/gone\/x\.seg belongs to no segment; see "lectern store sweep"$/m,
  );
  expect(existsSync(orphan)).toBe(true);
  expect(changeRows(data, 'select id from segments where dropped_at is not null')).toEqual([]);

  const credits = changeRows(data, 'select credits from users');
  const { code, output } = await cli(['doctor', '--deep', '--repair', '--data', data]);
  expect(output).toMatch(/^ok +files: segments\/gone\/s\.seg: marked as dropped/m);
  expect(output).toMatch(/^fail +ledger: /m);
  expect(code).toBe(1);
  expect(existsSync(orphan)).toBe(true);
  expect(changeRows(data, 'select id from segments where dropped_at is not null')).toEqual([{ id: 's' }]);
  expect(changeRows(data, 'select credits from users')).toEqual(credits);
  expect((await cli(['search', 'heddles', '--data', data])).output).toContain('Thread the heddles');
});

test('a repair without --deep is refused', async () => {
  const { code, errors } = await cli(['doctor', '--repair']);
  expect([code, errors]).toEqual([2, expect.stringContaining('--repair goes with --deep')]);
});
