import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import type { KeptMail } from '#server/platform/mail/outbox-mailer.ts';
import { requireOperatorAccount } from './operator-account.ts';

/** Reads the outbox of an installation without a mail server. */
export interface OutboxReader {
  /** Returns the emails, newest first. */
  list(limit: number): Promise<KeptMail[]>;
  /** Returns an email; undefined for an unknown id, even a malformed one. */
  read(mailId: string): Promise<KeptMail | undefined>;
}

const mailsListed = 100;

/** Returns the newest emails of the outbox. Operators only, since they contain sign-in codes. */
export async function listOutboxMails(
  ctx: Context,
  outbox: OutboxReader | undefined,
): Promise<Pick<KeptMail, 'id' | 'to' | 'subject' | 'sentAt'>[]> {
  await requireOperatorAccount(ctx);
  const mails = (await outbox?.list(mailsListed)) ?? [];
  return mails.map(({ id, to, subject, sentAt }) => ({ id, to, subject, sentAt }));
}

/** Returns an email of the outbox. Operators only. */
export async function readOutboxMail(ctx: Context, input: { mailId: string }, outbox: OutboxReader | undefined) {
  await requireOperatorAccount(ctx);
  const mail = await outbox?.read(input.mailId);
  if (mail === undefined) throw new AppError('mail-not-found');
  const { id, to, from, subject, sentAt, text, html } = mail;
  return { id, to, from, subject, sentAt, text, html: html ?? null };
}
