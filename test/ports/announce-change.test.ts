import { expect, test } from 'vitest';
import { announceChange, type Change, onChange } from '#server/platform/bus/announce-change.ts';
import { inProcessBus } from '#server/platform/bus/open-bus.ts';
import { connectDatabase } from '#server/platform/db/open-database.ts';
import { freshDatabaseConfig, onEachDatabase } from '../services/database.ts';
import { silentLog } from '../services/log.ts';
import { until } from '../services/until.ts';

const change: Change = { collection: 'apiKeys', audience: 'user:anna' };

onEachDatabase('announced changes', (kind) => {
  async function open() {
    const bus = inProcessBus(silentLog);
    const db = connectDatabase(await freshDatabaseConfig(kind), bus.publish);
    const heard: Change[] = [];
    onChange(bus, (one) => heard.push(one));
    const settings = () => db.query.selectFrom('settings').selectAll().execute();
    return { db, heard, settings };
  }

  test('are sent after the transaction commits, in order and with their row', async () => {
    const { db, heard, settings } = await open();
    await db.transaction(async (tx) => {
      announceChange(tx, change);
      announceChange(tx, { ...change, row: { id: 1 } });
      await tx.insertInto('settings').values({ name: 'a', value: '1' }).execute();
      expect(heard).toEqual([]);
    });
    await until('the changes are heard of', () => heard.length === 2);
    expect(heard).toEqual([change, { ...change, row: { id: 1 } }]);
    expect(await settings()).toHaveLength(1);
    await db.close();
  });

  test('are never sent if the transaction fails; the next change is sent alone', async () => {
    const { db, heard } = await open();
    const failing = db.transaction(async (tx) => {
      announceChange(tx, change);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    announceChange(db, { collection: 'modules', audience: 'public' });
    await until('a change is heard of', () => heard.length > 0);
    expect(heard).toEqual([{ collection: 'modules', audience: 'public' }]);
    await db.close();
  });

  test('are refused if they would be sent before their transaction', async () => {
    const { db, heard } = await open();
    const wrong = db.transaction(async () => announceChange(db, change));
    await expect(wrong).rejects.toMatchObject({ code: 'outside-transaction' });
    expect(heard).toEqual([]);
    await db.close();
  });
});
