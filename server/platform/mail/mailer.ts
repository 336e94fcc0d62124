import type { createTransport, Transporter } from 'nodemailer';
import { CodedError } from '../coded-error.ts';

/** How mails are sent: through a mail server, or to a folder for inspection. */
export type MailerConfig =
  | { kind: 'smtp'; url: string; from: string }
  | { kind: 'outbox'; folder: string; from: string };

export interface Mail {
  /** Part of the message id, so that a mail sent twice is recognized as one; by default each mail gets its own id. */
  id?: string;
  /** A single address. */
  to: string;
  subject: string;
  text: string;
  html?: string;
}

/** Sends mails, one recipient each. */
export interface Mailer {
  /** Resolves to the message id once the mail server, or the disk, has accepted the mail. Throws MailError. */
  send(mail: Mail): Promise<string>;
  /**
   * Rejects if no mail could be sent now because the server is unreachable or rejects the credentials. Sends none.
   * Throws MailError.
   */
  check(): Promise<void>;
  close(): Promise<void>;
}

type MailErrorCode = 'invalid-mail' | 'recipient-refused' | 'unreachable' | 'wrong-credentials' | 'failed';

/** Thrown if a mail was not accepted; the message says what to do. */
export class MailError extends CodedError<MailErrorCode> {
  override readonly name = 'MailError';
}

const address = /^[^\s@,;<>"]+@[^\s@,;<>"]+$/;

/**
 * Refuses a mail that would reach other recipients, add a header or send a file: several addresses in one field, a line
 * break in a header, or a body that is not text (the mail library would fetch what it names).
 */
export function requireMail(mail: Mail): void {
  if ([mail.subject, mail.text, mail.html ?? ''].some((part) => typeof part !== 'string')) {
    throw new MailError('invalid-mail', 'The subject and bodies of a mail are texts.');
  }
  if (!address.test(mail.to)) {
    throw new MailError('invalid-mail', 'The recipient is not one mail address. Correct the address.');
  }
  if (/[\r\n]/.test(mail.subject)) throw new MailError('invalid-mail', 'The subject of a mail is one line.');
}

interface Nodemailer {
  createTransport: typeof createTransport;
}

/** A transport that is opened with the first mail, to save memory until then. */
interface LazyTransport<Sent> {
  open(): Promise<Transporter<Sent>>;
  close(): void;
}

/** Creates a transport that calls `create` once, at the first `open`. */
export function lazyTransport<Sent>(create: (program: Nodemailer) => Transporter<Sent>): LazyTransport<Sent> {
  let opened: Promise<Transporter<Sent>> | undefined;
  return {
    open: () => (opened ??= import('nodemailer').then(create)),
    close() {
      void opened?.then((transport) => transport.close());
    },
  };
}
