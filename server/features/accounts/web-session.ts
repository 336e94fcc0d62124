import type { Context } from '#server/context.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import type { Row } from '#server/platform/db/schema.ts';
import { hashToken } from './secrets.ts';
import { countWebSessions, deleteWebSession, findSessionUser, findUser } from './store.ts';

/** The person of a session token; undefined when it is unknown or over. */
export async function userOfWebSession(ctx: Context, sessionToken: string): Promise<Row<'users'> | undefined> {
  return findSessionUser(ctx.db.query, hashToken(sessionToken), ctx.clock.now());
}

/** Ends one browser session, and with it what is streamed to it. Ending it twice is no error. */
export async function endWebSession(ctx: Context, sessionToken: string): Promise<void> {
  const userId = await deleteWebSession(ctx.db.query, hashToken(sessionToken));
  if (userId !== undefined) announceChange(ctx.db, { collection: 'webSessions', audience: `user:${userId}` });
}

/** The acting person's account row; undefined for visitors and deleted accounts. */
export async function actingUser(ctx: Context): Promise<Row<'users'> | undefined> {
  return ctx.actor.kind === 'anonymous' ? undefined : findUser(ctx.db.query, ctx.actor.userId);
}

/** Whether any browser is signed in; until then a start prints a sign-in link. */
export async function hasWebSession(ctx: Context): Promise<boolean> {
  return (await countWebSessions(ctx.db.query)) > 0;
}
