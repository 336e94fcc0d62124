import { expect, test } from 'vitest';
import { statusEndpoints } from '#contract/status.ts';
import type { Context } from '#server/context.ts';
import { ensureLocalOwner } from '#server/features/accounts/store.ts';
import { freshDatabase, onEachDatabase } from '#test/services/database.ts';
import { userRow } from '#test/services/rows.ts';
import { samplingOf, statusOf, visitorOf } from '#test/services/sample-measuring.ts';
import type { SettableClock } from '#test/services/settable-clock.ts';
import { createAnswerCache } from './answer-cache.ts';
import { getStatus } from './get-status.ts';
import { listIncidents, openIncident, resolveIncident, updateIncident } from './incidents.ts';
import { measureStatus } from './measure-status.ts';

const hourMs = 3_600_000;
const opening = (input: Parameters<typeof statusEndpoints.openIncident.input.parse>[0]) =>
  statusEndpoints.openIncident.input.parse(input);
const faultOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'none',
    (error: unknown) => {
      const { code, message } = error as { code: string; message: string };
      return `${code}: ${message}`;
    },
  );

onEachDatabase('incidents', (kind) => {
  async function stage() {
    const db = await freshDatabase(kind);
    const visitor = visitorOf(db);
    const ownerId = await ensureLocalOwner(db, visitor.clock);
    await db.query
      .insertInto('users')
      .values(userRow({ id: 'anna' }))
      .execute();
    const as = (userId: string): Context & { clock: SettableClock } => ({
      ...visitor,
      actor: { kind: 'user', userId },
      workspace: `user:${userId}`,
    });
    const audited = async () =>
      (await db.query.selectFrom('auditLog').select('action').where('action', 'like', 'incident.%').execute()).map(
        ({ action }) => action,
      );
    const cache = createAnswerCache(0);
    return { visitor, operator: as(ownerId), stranger: as('anna'), audited, cache };
  }

  test('an incident is visible to everyone, gets updates and is resolved once', async () => {
    const { visitor, operator, audited, cache } = await stage();
    const { id } = await openIncident(operator, opening({ title: 'Slow', body: 'Looking', severity: 'critical' }));
    visitor.clock.advance(1);
    await updateIncident(operator, { incidentId: id, state: 'identified', body: 'A full disk', parts: ['files'] });
    const sampling = samplingOf(visitor, 'a');
    await measureStatus(visitor, sampling);
    expect(await getStatus(visitor, statusOf(sampling))).toMatchObject({
      state: 'down',
      incidents: [
        {
          title: 'Slow',
          state: 'identified',
          phase: 'current',
          parts: ['files'],
          updates: [{ body: 'A full disk' }, { body: 'Looking' }],
        },
      ],
    });
    visitor.clock.advance(1);
    const resolved = await Promise.all([
      resolveIncident(operator, { incidentId: id }),
      resolveIncident(operator, { incidentId: id }),
    ]);
    expect(resolved.map(({ updates }) => updates.length)).toEqual([3, 3]);
    expect(await getStatus(visitor, statusOf(sampling))).toMatchObject({ state: 'operational', incidents: [] });
    expect(await listIncidents(visitor, { cache })).toMatchObject([{ id, state: 'resolved', phase: 'past' }]);
    expect((await audited()).sort()).toEqual(['incident.open', 'incident.resolve', 'incident.update']);
  });

  test('only the operator can write, and existing incidents look missing to other users', async () => {
    const { visitor, operator, stranger, audited } = await stage();
    const { id } = await openIncident(operator, opening({ title: 'Slow', body: 'Looking' }));
    const before = await audited();
    for (const [ctx, code] of [
      [visitor, 'unauthenticated'],
      [stranger, 'permission-denied'],
      [
        { ...operator, actor: { kind: 'key', userId: 'local-owner', keyId: 'k', clientKind: null } },
        'permission-denied',
      ],
    ] as [Context, string][]) {
      const attempts = (incidentId: string) => [
        faultOf(openIncident(ctx, opening({ title: 'Mine', body: 'Text' }))),
        faultOf(updateIncident(ctx, { incidentId, body: 'Text' })),
        faultOf(resolveIncident(ctx, { incidentId })),
      ];
      const there = await Promise.all(attempts(id));
      expect(there).toEqual(await Promise.all(attempts('nothing')));
      expect(there.every((fault) => String(fault).startsWith(`${code}:`))).toBe(true);
    }
    expect(await audited()).toEqual(before);
    expect(await faultOf(updateIncident(operator, { incidentId: 'nothing', body: 'x' }))).toMatch(
      /^incident-not-found/,
    );
    expect(await faultOf(resolveIncident(operator, { incidentId: 'nothing' }))).toMatch(/^incident-not-found/);
  });

  test('maintenance begins and ends by the clock and does not affect the overall state', async () => {
    const { visitor, operator, cache } = await stage();
    const now = visitor.clock.now();
    const times = { startsAt: now + hourMs, endsAt: now + 2 * hourMs };
    const { id } = await openIncident(
      operator,
      opening({ title: 'New disks', body: 'Short breaks', severity: 'critical', ...times }),
    );
    const phase = async () => (await listIncidents(visitor, { cache }))[0]?.phase;
    const sampling = samplingOf(visitor, 'a');
    expect(await phase()).toBe('upcoming');
    visitor.clock.advance(hourMs);
    await measureStatus(visitor, sampling);
    expect(await phase()).toBe('current');
    expect((await getStatus(visitor, statusOf(sampling))).state).toBe('operational');
    await updateIncident(operator, { incidentId: id, endsAt: now + 3 * hourMs });
    visitor.clock.advance(hourMs);
    expect(await phase()).toBe('current');
    visitor.clock.advance(hourMs);
    expect(await phase()).toBe('past');
    expect((await getStatus(visitor, statusOf(sampling))).incidents).toEqual([]);
  });

  test('an invalid incident or update is refused and changes nothing', async () => {
    const { visitor, operator, audited } = await stage();
    const now = visitor.clock.now();
    const open = (more: object) => faultOf(openIncident(operator, opening({ title: 'T', body: 'B', ...more })));
    expect(await open({ startsAt: now + 1 })).toMatch(/^invalid-input/);
    expect(await open({ startsAt: now + 2, endsAt: now + 1 })).toMatch(/^invalid-input/);
    expect(() => opening({ title: ' ', body: 'B' })).toThrow();
    expect(() => opening({ title: 'T', body: 'B', parts: ['host-7' as 'mail'] })).toThrow();
    expect(await audited()).toEqual([]);
    const incident = await openIncident(operator, opening({ title: 'T', body: 'B' }));
    const planned = await openIncident(operator, opening({ title: 'T', body: 'B', endsAt: now + 1 }));
    const update = (incidentId: string, more: object) => faultOf(updateIncident(operator, { incidentId, ...more }));
    expect(await update(incident.id, {})).toMatch(/give an update/);
    expect(await update(incident.id, { state: 'monitoring' })).toMatch(/needs an update/);
    expect(await update(incident.id, { endsAt: now + 1 })).toMatch(/only maintenance/);
    expect(await update(planned.id, { state: 'monitoring', body: 'x' })).toMatch(/begins and ends at its times/);
    expect(await audited()).toHaveLength(2);
  });

  test('a correction records the previous text in the audit log; concurrent updates are all kept', async () => {
    const { operator, visitor } = await stage();
    const { id } = await openIncident(operator, opening({ title: 'Slwo', body: 'Looking' }));
    await updateIncident(operator, { incidentId: id, title: 'Slow' });
    const row = await operator.db.query
      .selectFrom('auditLog')
      .select('detail')
      .where('action', '=', 'incident.update')
      .executeTakeFirstOrThrow();
    expect(JSON.parse(row.detail)).toMatchObject({ from: { title: 'Slwo' }, to: { title: 'Slow' } });
    const bodies = ['one', 'two', 'three'];
    await Promise.all(bodies.map((body) => updateIncident(operator, { incidentId: id, body })));
    const [incident] = await listIncidents(visitor, { cache: createAnswerCache(0) });
    expect(incident?.updates.map(({ body }) => body).sort()).toEqual(['Looking', ...bodies].sort());
  });

  test('a resolved incident is reopened by another state', async () => {
    const { operator } = await stage();
    const { id } = await openIncident(operator, opening({ title: 'Slow', body: 'Looking' }));
    await resolveIncident(operator, { incidentId: id, body: 'Over' });
    const after = await updateIncident(operator, { incidentId: id, body: 'What we learned' });
    expect(after).toMatchObject({ state: 'resolved', resolvedAt: expect.any(Number) });
    const again = await updateIncident(operator, { incidentId: id, state: 'monitoring', body: 'It is back' });
    expect(again).toMatchObject({ state: 'monitoring', resolvedAt: null, phase: 'current' });
  });
});
