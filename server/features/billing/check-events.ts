import type { Context } from '#server/context.ts';

/** Long enough for every attempt but the last ones. */
const waitMsMax = 60 * 60_000;

/** Events of the payment provider that came an hour ago or earlier and have had no effect yet, with how often it was tried. */
export async function listOverdueEvents(ctx: Context): Promise<{ what: string; detail: string }[]> {
  const rows = await ctx.db.query
    .selectFrom('billingEvents')
    .select(['id', 'type', 'tries'])
    .where('outcome', 'is', null)
    .where('receivedAt', '<', ctx.clock.now() - waitMsMax)
    .execute();
  return rows.map(({ id, type, tries }) => ({
    what: id,
    detail: `is an event of payments (${type}) that had no effect yet, after ${tries} attempts; look into the server's log`,
  }));
}
