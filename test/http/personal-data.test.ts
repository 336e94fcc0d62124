import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { accountDetailEndpoints } from '#contract/account-details.ts';
import { billingAdministration } from '#contract/billing.ts';
import { keyEndpoints } from '#contract/keys.ts';
import * as limits from '#contract/limits.ts';
import { teamAdministration } from '#contract/teams.ts';
import { testBillingEndpoints } from '#contract/test-billing.ts';
import { openHttpRig } from './http-rig.ts';

test('the export contains a user’s data and actions in teams', async () => {
  const { ask, send, operator } = await openHttpRig();
  const { teamId } = await ask(teamAdministration.createTeam, { teamName: 'Docs' });
  const [own, ofTeam] = [
    (await ask(keyEndpoints.createKey, { name: 'Laptop' })).key,
    (await ask(keyEndpoints.createKey, { name: 'Build server', teamId })).key,
  ];
  const { url } = await ask(billingAdministration.purchaseTeamCredits, { teamId, amount: 1000 });
  await ask(testBillingEndpoints.payTestCheckout, { checkoutId: url.slice(url.lastIndexOf('/') + 1) });

  const file = await send(accountDetailEndpoints.exportPersonalData.path, { headers: operator });
  const data = (await file.json()) as {
    apiKeys: { id: string; teamId: string | null }[];
    credits: { teamId: string | null; source: string; amount: number }[];
  };
  expect(data.apiKeys.map(({ id, teamId: team }) => [id, team])).toEqual(
    expect.arrayContaining([
      [own.id, null],
      [ofTeam.id, teamId],
    ]),
  );
  expect(data.credits).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ teamId: null, source: 'initial' }),
      expect.objectContaining({ teamId, source: 'purchase', amount: 1000 }),
    ]),
  );
});

test('the file has the newest actions and credits up to a limit, and names the lists that have more', async () => {
  const { send, operator, running } = await openHttpRig();
  const { db } = running.installation.base;
  const { id: userId } = await db.query.selectFrom('users').select('id').executeTakeFirstOrThrow();
  await sql`
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${limits.personalDataRowsMax + 5})
    insert into audit_log (id, actor_user_id, action, entity_id, created_at)
    select 'filler-' || n, ${userId}, 'profile.update', 'none', n from numbers`.execute(db.query);
  await sql`
    insert into credit_transactions (id, user_id, request_id, source, timestamp, metadata)
    select id, actor_user_id, id, 'usage', created_at, ${JSON.stringify({ args: { query: 'q'.repeat(200) } })}
    from audit_log where id like 'filler-%'`.execute(db.query);
  const file = await send(accountDetailEndpoints.exportPersonalData.path, { headers: operator });
  const { actions, incomplete } = (await file.json()) as { actions: { createdAt: number }[]; incomplete: string[] };
  expect(incomplete).toEqual(['actions', 'credits']);
  expect(actions).toHaveLength(limits.personalDataRowsMax);
  expect(actions.at(-1)?.createdAt).toBeGreaterThan(5);

  // The file is sent while its rows are read: it is never in memory as a whole, and blocks no one else.
  const begun = (await send(accountDetailEndpoints.exportPersonalData.path, { headers: operator })).body?.getReader();
  const pieces = [(await begun?.read())?.value];
  await db.query.deleteFrom('creditTransactions').execute();
  for (let piece = await begun?.read(); piece?.value !== undefined; piece = await begun?.read())
    pieces.push(piece.value);
  const rest = JSON.parse(Buffer.concat(pieces.map((piece) => piece ?? new Uint8Array())).toString());
  expect(rest.credits).toHaveLength(0);
});
