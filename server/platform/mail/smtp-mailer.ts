import { lazyTransport, MailError, type Mailer, requireMail } from './mailer.ts';

const connectTimeoutMs = 10_000;
const answerTimeoutMs = 30_000;
const loopbackHosts = /^(localhost|127\.[\d.]+|\[::1\])$/;

/**
 * Sends mails through a mail server: `smtp://` (encrypted if the server offers it, and always when a password is sent
 * to another machine) or `smtps://`.
 */
export function smtpMailer({ url, from }: { url: string; from: string }): Mailer {
  const { hostname, host, username } = new URL(url);
  const transport = lazyTransport(({ createTransport }) =>
    createTransport(
      {
        url,
        requireTLS: username !== '' && !loopbackHosts.test(hostname),
        connectionTimeout: connectTimeoutMs,
        greetingTimeout: connectTimeoutMs,
        socketTimeout: answerTimeoutMs,
        disableFileAccess: true,
        disableUrlAccess: true,
      },
      { from },
    ),
  );
  return {
    async send(mail) {
      requireMail(mail);
      try {
        const { id, ...parts } = mail;
        const named = id === undefined ? {} : { messageId: `<${id}@${domainOf(from)}>` };
        const { messageId } = await (await transport.open()).sendMail({ ...parts, ...named });
        return messageId;
      } catch (error) {
        throw translate(error, host);
      }
    },
    async check() {
      try {
        await (await transport.open()).verify();
      } catch (error) {
        throw translate(error, host);
      }
    },
    async close() {
      transport.close();
    },
  };
}

/** Returns the domain of a sender such as `name@example.org` or `Name <name@example.org>`. */
function domainOf(sender: string): string {
  return /@([^\s<>@]+)>?\s*$/.exec(sender)?.[1] ?? 'localhost';
}

function translate(error: unknown, server: string): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  const answer = 'response' in error && typeof error.response === 'string' ? error.response : error.message;
  switch (error.code) {
    case 'EAUTH':
    case 'ENOAUTH':
      return new MailError('wrong-credentials', `The mail server ${server} refused the sign-in. Correct SMTP_URL.`, {
        cause: error,
      });
    case 'EENVELOPE':
      return new MailError(
        'recipient-refused',
        `The mail server ${server} refused the address (${answer}). Correct it.`,
        {
          cause: error,
        },
      );
    case 'ECONNECTION':
    case 'ETIMEDOUT':
    case 'ESOCKET':
    case 'EDNS':
    case 'ETLS':
    case 'ECONNREFUSED':
      return new MailError(
        'unreachable',
        `The mail server ${server} cannot be reached (${error.message}). Check that it runs and that SMTP_URL is right.`,
        { cause: error },
      );
    default:
      return new MailError('failed', `The mail server ${server} did not take the mail (${answer}). Try again later.`, {
        cause: error,
      });
  }
}
