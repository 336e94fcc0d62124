import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '#server/platform/db/open-database.ts';
import { forgetMailsTo, lastingMailer, readMailQueue } from '#server/platform/mail/lasting-mailer.ts';
import { openMailer } from '#server/platform/mail/open-mailer.ts';
import { createSettableClock } from '#test/services/settable-clock.ts';
import { freshDatabaseConfig, onEachDatabase } from '../services/database.ts';
import { silentLog } from '../services/log.ts';
import { startMailServer } from '../services/mail-server.ts';

const sealingKeys = [new Uint8Array(32).fill(7)] as const;
const mail = (to: string) => ({ to, subject: 'Verify your address', text: 'https://example.org/?code=hush' });
const dayMs = 24 * 3_600_000;

/** Starts a port on which no server accepts mail until the test says so. */
async function startBrokenServer(): Promise<{ url: string }> {
  const server = createServer((socket) => socket.on('error', () => {}).end('421 not now\r\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return { url: `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` };
}

onEachDatabase('mails that cannot be delivered yet', (kind) => {
  async function openStage() {
    const config = await freshDatabaseConfig(kind);
    const clock = createSettableClock();
    const [working, broken] = [await startMailServer(), await startBrokenServer()];
    onTestFinished(() => working.stop());
    /** Starts another process, or the next one. */
    const start = async (url: string) => {
      const db = await openDatabase(config);
      const smtp = openMailer({ kind: 'smtp', url, from: 'Lectern <no-reply@example.org>' });
      const mailer = lastingMailer({ mailer: smtp, db, clock, log: silentLog, sealingKeys });
      onTestFinished(() => db.close());
      return { db, mailer };
    };
    return { clock, working, broken, start };
  }

  test('are sent again once the server works, also by another process, and each arrives once', async () => {
    const { clock, working, broken, start } = await openStage();
    const first = await start(broken.url);
    await first.mailer.send(mail('anna@example.org'));
    await first.mailer.send(mail('bert@example.org'));
    expect(await readMailQueue(first.db.query)).toEqual({
      ...{ count: 2, oldestAt: clock.now(), lastFault: expect.stringMatching(/unreachable|failed/) },
    });
    // Pending mails contain sign-in codes, so a copy of the database must not reveal them.
    const rows = JSON.stringify(await first.db.query.selectFrom('waitingMails').selectAll().execute());
    expect(rows).not.toMatch(/hush|anna|bert/);

    const [second, third] = [await start(working.url), await start(working.url)];
    await second.mailer.sendDue();
    expect(working.received).toHaveLength(0);
    clock.advance(5_000);
    await Promise.all([second.mailer.sendDue(), third.mailer.sendDue(), second.mailer.sendDue()]);
    expect(
      working.received.map(({ envelopeTo }) => envelopeTo[0]).toSorted((a = '', b = '') => a.localeCompare(b)),
    ).toEqual(['anna@example.org', 'bert@example.org']);
    clock.advance(dayMs);
    await second.mailer.sendDue();
    expect(working.received).toHaveLength(2);
    expect((await readMailQueue(second.db.query)).count).toBe(0);
  });

  test('are sent by the next process if the first is killed while sending', async () => {
    const { clock, working, start } = await openStage();
    const { db, mailer } = await start(working.url);
    const dead = lastingMailer({
      ...{ db, clock, log: silentLog, sealingKeys },
      // Never returns, like a process that was killed.
      mailer: { send: () => new Promise<string>(() => {}), check: async () => {}, close: async () => {} },
    });
    void dead.send(mail('anna@example.org'));
    await expect.poll(() => db.query.selectFrom('waitingMails').selectAll().execute()).toHaveLength(1);
    await mailer.sendDue();
    expect(working.received).toHaveLength(0);
    clock.advance(120_000);
    await mailer.sendDue();
    expect(working.received).toHaveLength(1);
    expect(working.received[0]?.email.messageId).toMatch(/^<[\w-]{36}@example\.org>$/);
  });

  test('are sent at once if they were postponed while the clock was a month ahead', async () => {
    const { clock, working, broken, start } = await openStage();
    const rightAt = clock.now();
    clock.advance(30 * dayMs);
    await (await start(broken.url)).mailer.send(mail('anna@example.org'));
    clock.set(rightAt);
    await (await start(working.url)).mailer.sendDue();
    expect(working.received).toHaveLength(1);
  });

  test('are dropped after a day, if the address is refused, or when the account is deleted', async () => {
    const { clock, working, broken, start } = await openStage();
    const { db, mailer } = await start(broken.url);
    const waiting = async () => (await db.query.selectFrom('waitingMails').select('id').execute()).length;
    await expect((await start(working.url)).mailer.send(mail('nobody@example.org'))).rejects.toMatchObject({
      code: 'recipient-refused',
    });
    expect(await waiting()).toBe(0);
    await mailer.send(mail('Anna@example.org'));
    await forgetMailsTo(db.query, 'anna@example.org');
    expect(await waiting()).toBe(0);
    await mailer.send(mail('bert@example.org'));
    clock.advance(dayMs / 2);
    await mailer.sendDue();
    expect(await waiting()).toBe(1);
    clock.advance(dayMs / 2 + 1);
    await mailer.sendDue();
    expect(await waiting()).toBe(0);
  });
});
