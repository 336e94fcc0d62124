import type { createTransport, Transporter } from 'nodemailer';
import { CodedError } from '../coded-error.ts';

/** How mails leave: through a mail server, or into a folder where they can be looked at. */
export type MailerConfig =
  | { kind: 'smtp'; url: string; from: string }
  | { kind: 'outbox'; folder: string; from: string };

export interface Mail {
  /** Names the mail in its message id, so that one that is sent twice is known as one; left out, each has an id of its own. */
  id?: string;
  /** One address. */
  to: string;
  subject: string;
  text: string;
  html?: string;
}

/** Sends mails, one recipient each. */
export interface Mailer {
  /** Resolves to the message id once the mail server, or the disk, has taken the mail over. Throws MailError. */
  send(mail: Mail): Promise<string>;
  /** Rejects when no mail could be sent now: the server is away, or refuses the sign-in. Sends none. Throws MailError. */
  check(): Promise<void>;
  close(): Promise<void>;
}

type MailErrorCode = 'invalid-mail' | 'recipient-refused' | 'unreachable' | 'wrong-credentials' | 'failed';

/** Why a mail was not taken over, as one sentence that says what to do. */
export class MailError extends CodedError<MailErrorCode> {
  override readonly name = 'MailError';
}

const address = /^[^\s@,;<>"]+@[^\s@,;<>"]+$/;

/**
 * Refuses what would reach someone else, add a header or send a file: several addresses in one, a line break in a
 * header, a body that is no text (the mail library would fetch what it names).
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

/** A way to send that is opened with the first mail: until then its program takes no memory. */
interface LazyTransport<Sent> {
  open(): Promise<Transporter<Sent>>;
  /** Closes the connections. */
  close(): void;
}

/** Calls `create` once, with the first `open`. */
export function lazyTransport<Sent>(create: (program: Nodemailer) => Transporter<Sent>): LazyTransport<Sent> {
  let opened: Promise<Transporter<Sent>> | undefined;
  return {
    open: () => (opened ??= import('nodemailer').then(create)),
    close() {
      void opened?.then((transport) => transport.close());
    },
  };
}
