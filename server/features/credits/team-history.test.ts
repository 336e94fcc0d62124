import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { freshDatabase, onEachDatabase } from '#test/services/database.ts';
import { samplePool } from '#test/services/sample-pool.ts';
import { createCallMeter } from './call-meter.ts';
import { exportTransactions, listTransactions } from './list-transactions.ts';
import { getUsage } from './usage.ts';

const content = { hasContent: true, tokens: 100, wholePageTokens: 900, withheldTokens: 5 };
const meter = createCallMeter({ publicUrl: 'https://docs.example' });
const search = (query: string) => ({ tool: 'search' as const, args: { query }, clientName: 'agent' });

onEachDatabase('team credit history', (kind) => {
  /** Anna (admin) and Bert (no seat) made one call each in the team, and Bert one for himself. */
  async function calls() {
    const pool = await samplePool(await freshDatabase(kind), {
      credits: 9,
      members: { anna: { role: 'admin' }, bert: { hasSeat: false, credits: 5 }, carl: {} },
    });
    await meter.settle(await pool.agent('anna'), search('of anna'), content);
    pool.clock.advance(1);
    await meter.settle(await pool.agent('bert'), search('of bert'), content);
    pool.clock.advance(1);
    await meter.settle(pool.own('bert'), search('private'), content);
    return pool;
  }
  const askedIn = async (ctx: Context) =>
    (await listTransactions(ctx, { type: 'usage', limit: 9 })).map(({ metadata }) => metadata.args?.['query']);

  test('members see their own calls, admins those of every member, and no one calls outside the team', async () => {
    const pool = await calls();
    expect(await askedIn(await pool.person('anna'))).toEqual(['of bert', 'of anna']);
    expect(await askedIn(await pool.person('bert'))).toEqual(['of bert']);
    expect(await askedIn(await pool.person('carl'))).toEqual([]);
    expect(await askedIn(pool.own('bert'))).toEqual(['private', 'of bert']);
    expect(await askedIn(pool.own('anna'))).toEqual([]);
    const [row] = await listTransactions(await pool.person('anna'), { type: 'usage', limit: 1 });
    expect(row).toMatchObject({
      ...{ teamId: pool.teamId, userId: 'bert', amount: 0, userAccountAmount: -1 },
      metadata: { user: 'bert', userEmail: 'bert@example.org' },
    });
    const [purchase] = await listTransactions(await pool.person('anna'), { type: 'purchase', limit: 9 });
    expect(purchase).toMatchObject({ amount: 9 });
    await expect(listTransactions(await pool.agent('anna'), { type: 'all', limit: 9 })).rejects.toMatchObject({
      code: 'permission-denied',
    });
  });

  test('the export of a team names the member and what their account paid; personal exports are unchanged', async () => {
    const pool = await calls();
    const lines = (await text(await exportTransactions(await pool.person('anna'), { type: 'usage' }))).split('\r\n');
    expect(lines[0]).toMatch(/,arguments,member,member_email,member_account_amount$/);
    expect(lines[1]).toMatch(/,0,false,Documentation search,Laptop,.*,bert,bert@example\.org,-1$/);
    expect(lines).toHaveLength(4);
    const own = await text(await exportTransactions(pool.own('bert'), { type: 'usage' }));
    expect(own.split('\r\n')[0]).toMatch(/,arguments$/);
  });

  test('daily team usage covers all calls for an admin, their own for a member, and no personal calls', async () => {
    const pool = await calls();
    const searchesOf = async (ctx: Context) => (await getUsage(ctx, { days: 1 })).map(({ searches }) => searches);
    expect(await searchesOf(await pool.person('anna'))).toEqual([2]);
    expect(await searchesOf(await pool.person('bert'))).toEqual([1]);
    expect(await searchesOf(await pool.person('carl'))).toEqual([0]);
    expect(await searchesOf(pool.own('bert'))).toEqual([1]);
  });
});
