import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Mailer, MailerConfig } from '#server/platform/mail/mailer.ts';
import { openMailer } from '#server/platform/mail/open-mailer.ts';
import { listOutbox, readOutbox } from '#server/platform/mail/outbox-mailer.ts';
import { type MailServer, startMailServer } from '#test/services/mail-server.ts';
import { createSettableClock } from '#test/services/settable-clock.ts';
import { temporaryFolder } from '#test/services/temporary-folder.ts';

let server: MailServer;
beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.stop());

const from = 'Lectern <no-reply@example.org>';
const adapters: Record<MailerConfig['kind'], () => { config: MailerConfig; taken: () => Promise<Email[]> }> = {
  smtp() {
    const before = server.received.length;
    return {
      config: { kind: 'smtp', url: server.url, from },
      taken: async () => server.received.slice(before).map(({ email }) => email),
    };
  },
  outbox() {
    const folder = join(temporaryFolder(), 'outbox');
    const files = () =>
      readdirSync(folder)
        .filter((name) => name.endsWith('.eml'))
        .sort();
    return {
      config: { kind: 'outbox', folder, from },
      taken: () => Promise.all(files().map((name) => PostalMime.parse(readFileSync(join(folder, name))))),
    };
  },
};

describe.each(['smtp', 'outbox'] as const)('mail by %s', (kind) => {
  let mailer: Mailer;
  let taken: () => Promise<Email[]>;
  const clock = createSettableClock();
  beforeEach(() => {
    const adapter = adapters[kind]();
    mailer = openMailer(adapter.config, clock);
    taken = adapter.taken;
  });

  test('a mail arrives with sender, recipient, subject, both bodies and its id', async () => {
    const id = await mailer.send({
      to: 'reader@example.org',
      subject: 'Grüße: sign in to your library, with a subject that is longer than one line of a header can be',
      text: 'Öffnen: https://example.org/signin?token=abc\n\nBye\n',
      html: '<p>Öffnen: <a href="https://example.org/signin?token=abc">sign in</a></p>',
    });
    const [email] = await taken();
    expect(email).toMatchObject({
      messageId: id,
      from: { name: 'Lectern', address: 'no-reply@example.org' },
      to: [{ address: 'reader@example.org' }],
      subject: 'Grüße: sign in to your library, with a subject that is longer than one line of a header can be',
    });
    expect(email?.text?.trim()).toBe('Öffnen: https://example.org/signin?token=abc\n\nBye');
    expect(email?.html?.trim()).toBe('<p>Öffnen: <a href="https://example.org/signin?token=abc">sign in</a></p>');
    await mailer.close();
  });

  test('several simultaneous mails all arrive', async () => {
    const recipients = Array.from({ length: 8 }, (_, at) => `reader${at}@example.org`);
    await Promise.all(recipients.map((to) => mailer.send({ to, subject: to, text: to })));
    expect(new Set((await taken()).map((email) => email.subject))).toEqual(new Set(recipients));
    await mailer.close();
  });

  test.each([
    { to: 'a@example.org, b@example.org' },
    { to: 'a@example.org\r\nBcc: b@example.org' },
    { to: 'Name <a@example.org>' },
    { to: '' },
    { subject: 'Hello\r\nBcc: b@example.org' },
  ])('a mail that would reach other recipients is refused: %j', async (change) => {
    const mail = { to: 'a@example.org', subject: 's', text: 't', ...change };
    await expect(mailer.send(mail)).rejects.toMatchObject({ name: 'MailError', code: 'invalid-mail' });
    await mailer.close();
  });

  test('a body that references a file is refused, not fetched', async () => {
    const text = { path: '/etc/passwd' } as unknown as string;
    await expect(mailer.send({ to: 'a@example.org', subject: 's', text })).rejects.toMatchObject({
      code: 'invalid-mail',
    });
    await mailer.close();
  });
});

describe('the outbox', () => {
  test('lists its mails newest first, up to the limit, private to its owner', async () => {
    const folder = join(temporaryFolder(), 'outbox');
    expect(await listOutbox(folder, { limit: 10 })).toEqual([]);
    const clock = createSettableClock(Date.UTC(2026, 4, 5));
    const mailer = openMailer({ kind: 'outbox', folder, from }, clock);
    for (const subject of ['first', 'second', 'third']) {
      await mailer.send({ to: 'a@example.org', subject, text: `${subject} text` });
      clock.advance(1);
    }
    const mails = await listOutbox(folder, { limit: 2 });
    expect(mails).toMatchObject([
      { subject: 'third', text: 'third text', to: 'a@example.org', from, sentAt: Date.UTC(2026, 4, 5) + 2 },
      { subject: 'second' },
    ]);
    expect(statSync(join(folder, `${mails[0]?.id}.eml`)).mode & 0o777).toBe(0o600);
  });

  test.each(['', '..', '../outbox/mail', 'a\0b', 'a'.repeat(300)])('has no mail with the id %j', async (id) => {
    expect(await readOutbox(temporaryFolder(), id)).toBeUndefined();
  });

  test('refuses a mail that cannot be written', async () => {
    const folder = join(temporaryFolder(), 'outbox');
    writeFileSync(folder, 'in the way');
    const mailer = openMailer({ kind: 'outbox', folder, from });
    const sending = mailer.send({ to: 'a@example.org', subject: 's', text: 't' });
    await expect(sending).rejects.toMatchObject({ code: 'failed', message: expect.stringContaining(folder) });
  });
});

describe('a mail server', () => {
  const mail = { to: 'a@example.org', subject: 's', text: 't' };

  test('gets the envelope with the one recipient', async () => {
    const mailer = openMailer({ kind: 'smtp', url: server.url, from });
    await mailer.send({ ...mail, to: 'envelope@example.org' });
    expect(server.received.at(-1)).toMatchObject({
      envelopeFrom: 'no-reply@example.org',
      envelopeTo: ['envelope@example.org'],
    });
  });

  test('that refuses the recipient is quoted', async () => {
    const mailer = openMailer({ kind: 'smtp', url: server.url, from });
    const sending = mailer.send({ ...mail, to: 'nobody@example.org' });
    await expect(sending).rejects.toMatchObject({
      code: 'recipient-refused',
      message: expect.stringContaining('no such mailbox'),
    });
  });

  test('accepts mails only after the right password, which is not shown', async () => {
    const guarded = await startMailServer('me');
    const address = (password: string) => guarded.url.replace('//', `//me:${password}@`);
    await openMailer({ kind: 'smtp', url: address('right'), from }).send(mail);
    expect(guarded.received).toHaveLength(1);
    const refused = openMailer({ kind: 'smtp', url: address('hush'), from }).send(mail);
    await expect(refused).rejects.toMatchObject({
      code: 'wrong-credentials',
      message: expect.not.stringContaining('hush'),
    });
    await guarded.stop();
  });

  test('that is unreachable is named', async () => {
    const gone = await startMailServer();
    await gone.stop();
    const sending = openMailer({ kind: 'smtp', url: gone.url, from }).send(mail);
    await expect(sending).rejects.toMatchObject({ code: 'unreachable', message: expect.stringContaining('SMTP_URL') });
  });
});
