import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { requireOperatorAccount } from './operator-account.ts';

/** A mail that was kept instead of sent. */
interface KeptMail {
  id: string;
  from: string;
  to: string;
  subject: string;
  text: string;
  html?: string;
  sentAt: number;
}

/** Reads the outbox of an installation without a mail server. */
export interface OutboxReader {
  /** Newest first. */
  list(limit: number): Promise<KeptMail[]>;
  /** Undefined when there is none of this id, whatever the id looks like. */
  read(mailId: string): Promise<KeptMail | undefined>;
}

const mailsListed = 100;

/** The newest mails of the outbox. They hold codes that sign people in, so they are the operator's alone. */
export async function listOutboxMails(
  ctx: Context,
  outbox: OutboxReader | undefined,
): Promise<Pick<KeptMail, 'id' | 'to' | 'subject' | 'sentAt'>[]> {
  await requireOperatorAccount(ctx);
  const mails = (await outbox?.list(mailsListed)) ?? [];
  return mails.map(({ id, to, subject, sentAt }) => ({ id, to, subject, sentAt }));
}

/** One mail of the outbox; the operator's alone. */
export async function readOutboxMail(ctx: Context, input: { mailId: string }, outbox: OutboxReader | undefined) {
  await requireOperatorAccount(ctx);
  const mail = await outbox?.read(input.mailId);
  if (mail === undefined) throw new AppError('mail-not-found');
  const { id, to, from, subject, sentAt, text, html } = mail;
  return { id, to, from, subject, sentAt, text, html: html ?? null };
}
