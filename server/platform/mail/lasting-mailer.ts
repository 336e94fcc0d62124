import { createHash, randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Database, Queries } from '../db/database.ts';
import { hasCome } from '../db/has-come.ts';
import type { NewRow, Row } from '../db/schema.ts';
import type { Logger } from '../log.ts';
import { type SealedValue, type SealingKeys, seal, unseal } from '../sealing.ts';
import { type Mail, MailError, type Mailer, requireMail } from './mailer.ts';

const second = 1_000;
const minute = 60 * second;
/**
 * Pauses between attempts start short, to bridge brief outages of the mail server; the longest applies to all further
 * attempts.
 */
const longestPauseMs = 15 * minute;
const pausesMs = [5 * second, 15 * second, minute, 5 * minute, longestPauseMs];
/** The links in most mails have expired by then. */
const keptMs = 24 * 60 * minute;
/** Longer than a mail server may take to respond: by then the process that leased the mail has ended. */
const holdMs = 2 * minute;
const atOnce = 20;

export interface LastingMailer extends Mailer {
  sendDue(): Promise<void>;
}

interface Parts {
  mailer: Mailer;
  db: Database;
  clock: Clock;
  log: Logger;
  sealingKeys: SealingKeys;
}

/**
 * Creates a mailer that stores each mail before sending, and deletes it once the mail server has accepted it. A mail
 * that was not accepted is sent again by any process, also after a restart, with growing pauses for a day. Permanent
 * failures, such as a refused address, are thrown at once, and the mail is not kept. If the process is killed after the
 * server has accepted a mail but before it is deleted, the mail is sent again with the same message id.
 */
export function lastingMailer({ mailer, db, clock, log, sealingKeys }: Parts): LastingMailer {
  const attempt = async (row: Pick<WaitingMailRow, 'id' | 'attempts' | 'createdAt'>, mail: Mail): Promise<string> => {
    try {
      const messageId = await mailer.send({ ...mail, id: row.id });
      await deleteWaitingMail(db.query, row.id);
      return messageId;
    } catch (error) {
      if (!(error instanceof MailError)) throw error;
      const attempts = row.attempts + 1;
      const now = clock.now();
      const isHopeless = error.code === 'recipient-refused' || error.code === 'invalid-mail';
      if (isHopeless || now - row.createdAt > keptMs) {
        await deleteWaitingMail(db.query, row.id);
        throw error;
      }
      const pauseMs = pausesMs[Math.min(attempts, pausesMs.length) - 1] ?? longestPauseMs;
      await noteFailedMail(db.query, row.id, { attempts, nextAttemptAt: now + pauseMs, lastFault: error.code });
      log.warn({ err: error, attempts }, 'an email was not accepted; it will be retried');
      return row.id;
    }
  };
  const again = async (row: WaitingMailRow): Promise<void> => {
    if (!(await holdMail(db.query, row, clock.now() + holdMs))) return;
    const text = unseal(sealingKeys, labelOf(row.id), row.sealed);
    if (text === undefined) {
      if (clock.now() - row.createdAt > keptMs) return deleteWaitingMail(db.query, row.id);
      // It can still be sent once the right key is configured.
      const nextAttemptAt = clock.now() + longestPauseMs;
      await noteFailedMail(db.query, row.id, { attempts: row.attempts + 1, nextAttemptAt, lastFault: 'other-secret' });
      log.error({}, 'a waiting email is encrypted with another secret; it stays queued');
      return;
    }
    await attempt(row, JSON.parse(text) as Mail).catch((error: unknown) =>
      log.error({ err: error }, 'an email is given up'),
    );
  };
  return {
    async send(mail) {
      requireMail(mail);
      const [id, now] = [randomUUID(), clock.now()];
      const sealed = seal(sealingKeys, labelOf(id), JSON.stringify(mail));
      const row = { id, recipientHash: recipientHashOf(mail.to), sealed, createdAt: now };
      await insertWaitingMail(db.query, { ...row, nextAttemptAt: now + holdMs });
      return attempt({ ...row, attempts: 0 }, mail);
    },
    async sendDue() {
      await Promise.all(
        (await listDueMails(db.query, clock.now(), { mostMs: longestPauseMs, limit: atOnce })).map(again),
      );
    },
    check: () => mailer.check(),
    close: () => mailer.close(),
  };
}

/** Deletes waiting mails for an address; used when its account is deleted. */
export function forgetMailsTo(queries: Queries, address: string): Promise<void> {
  return deleteMailsTo(queries, recipientHashOf(address));
}

/** Returns the waiting mails. */
export async function listSealedMails(db: Queries): Promise<SealedValue[]> {
  const rows = await db.selectFrom('waitingMails').select(['id', 'sealed']).execute();
  return rows.map(({ id, sealed: before }) => ({
    ...{ what: 'waiting mails', label: labelOf(id), sealed: before },
    async replace(sealed) {
      await db.updateTable('waitingMails').set({ sealed }).where('id', '=', id).execute();
    },
  }));
}

const labelOf = (id: string) => `waiting-mail:${id}`;

function recipientHashOf(address: string): string {
  return createHash('sha256').update(address.toLowerCase()).digest('hex');
}

type WaitingMailRow = Row<'waitingMails'>;

async function insertWaitingMail(queries: Queries, row: NewRow<'waitingMails'>): Promise<void> {
  await queries.insertInto('waitingMails').values(row).execute();
}

/** Returns the mails that are due, longest waiting first. */
function listDueMails(
  queries: Queries,
  now: number,
  { mostMs, limit }: { mostMs: number; limit: number },
): Promise<WaitingMailRow[]> {
  return queries
    .selectFrom('waitingMails')
    .selectAll()
    .where(hasCome('nextAttemptAt', now, mostMs))
    .orderBy('nextAttemptAt')
    .limit(limit)
    .execute();
}

/** Leases a mail until `until`; returns false if another process has it, or it no longer exists. */
async function holdMail(queries: Queries, { id, nextAttemptAt }: WaitingMailRow, until: number): Promise<boolean> {
  const result = await queries
    .updateTable('waitingMails')
    .set({ nextAttemptAt: until })
    .where('id', '=', id)
    .where('nextAttemptAt', '=', nextAttemptAt)
    .executeTakeFirst();
  return result.numUpdatedRows > 0;
}

async function noteFailedMail(
  queries: Queries,
  id: string,
  change: { attempts: number; nextAttemptAt: number; lastFault: string },
): Promise<void> {
  await queries.updateTable('waitingMails').set(change).where('id', '=', id).execute();
}

async function deleteWaitingMail(queries: Queries, id: string): Promise<void> {
  await queries.deleteFrom('waitingMails').where('id', '=', id).execute();
}

async function deleteMailsTo(queries: Queries, recipientHash: string): Promise<void> {
  await queries.deleteFrom('waitingMails').where('recipientHash', '=', recipientHash).execute();
}

/** Returns how many mails have failed and are waiting, since when, and the newest failure. */
export async function readMailQueue(
  queries: Queries,
): Promise<{ count: number; oldestAt: number | null; lastFault: string | null }> {
  const failed = queries.selectFrom('waitingMails').where('attempts', '>', 0);
  const { count, oldestAt } = await failed
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.min('createdAt').as('oldestAt')])
    .executeTakeFirstOrThrow();
  const newest = await failed.select('lastFault').orderBy('createdAt', 'desc').limit(1).executeTakeFirst();
  return { count: Number(count), oldestAt, lastFault: newest?.lastFault ?? null };
}
