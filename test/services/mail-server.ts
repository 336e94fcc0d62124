import { once } from 'node:events';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A mail server on loopback that keeps accepted mails. */
export interface MailServer {
  url: string;
  received: { email: Email; envelopeFrom: string; envelopeTo: string[] }[];
  stop(): Promise<void>;
}

/** Accepts every mail except those to `no one@…`; requires the password `right` if `user` is given. */
export async function startMailServer(user?: string): Promise<MailServer> {
  const received: MailServer['received'] = [];
  const server = new SMTPServer({
    disabledCommands: user ? ['STARTTLS'] : ['STARTTLS', 'AUTH'],
    authOptional: user === undefined,
    allowInsecureAuth: true,
    onAuth: (given, _session, answer) =>
      given.username === user && given.password === 'right' ? answer(null, { user }) : answer(new Error('wrong')),
    onRcptTo: ({ address }, _session, answer) =>
      answer(address.startsWith('nobody@') ? Object.assign(new Error('no such mailbox'), { responseCode: 550 }) : null),
    onData(stream, { envelope }, answer) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const envelopeFrom = envelope.mailFrom ? envelope.mailFrom.address : '';
        const envelopeTo = envelope.rcptTo.map(({ address }) => address);
        PostalMime.parse(Buffer.concat(chunks)).then((email) => {
          received.push({ email, envelopeFrom, envelopeTo });
          answer();
        }, answer);
      });
    },
  });
  server.on('error', () => {});
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as { port: number };
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
