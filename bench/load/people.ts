import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { LoadRun } from './load-run.ts';

const mailWithinMs = 10_000;

interface Session {
  cookie: string;
  'x-lectern-csrf': string;
}

async function send<T>(run: LoadRun, path: string, headers: object, body?: object): Promise<[T, Response]> {
  const response = await fetch(`${run.product.origin}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 300)}`);
  return [JSON.parse(text) as T, response];
}

function sessionIn(response: Response): Session {
  const cookie = response.headers.getSetCookie().map((one) => one.split(';')[0] ?? '');
  return { cookie: cookie.join('; '), 'x-lectern-csrf': '1' };
}

interface SignedUp {
  user: { isEmailVerified: boolean };
}

/** Signs the owner in with the link, as a browser would. */
export async function signInOwner(run: LoadRun): Promise<Session> {
  const code = new URL(await run.product.signInLink()).searchParams.get('code');
  const [, response] = await send(run, '/api/session', {}, { code });
  return sessionIn(response);
}

/** Creates another account with a verified address; returns its API key. */
export async function addPerson(run: LoadRun, name: string): Promise<string> {
  const account = { email: `${name}@example.org`, password: randomBytes(12).toString('base64url') };
  const [{ user }, response] = await send<SignedUp>(run, '/api/identity/sign-up', {}, account);
  const session = sessionIn(response);
  // The first account besides the owner's is verified without an email.
  if (!user.isEmailVerified) {
    const oobCode = await verificationCode(run, account.email);
    await send(run, '/api/identity/verify-email', session, { oobCode });
  }
  const [{ secret }] = await send<{ secret: string }>(run, '/api/keys', session, { name });
  return secret;
}

/** Returns the code from the email; a new installation stores its emails in the outbox. */
async function verificationCode(run: LoadRun, email: string): Promise<string> {
  const owner = await signInOwner(run);
  const deadline = performance.now() + mailWithinMs;
  while (performance.now() < deadline) {
    const [{ mails }] = await send<{ mails: { id: string; to: string }[] }>(run, '/api/outbox', owner);
    const found = mails.find(({ to }) => to.includes(email));
    if (found !== undefined) {
      const [{ mail }] = await send<{ mail: { text: string } }>(run, `/api/outbox/${found.id}`, owner);
      const code = /oobCode=([\w-]+)/.exec(mail.text)?.[1];
      if (code !== undefined) return code;
    }
    await delay(100);
  }
  throw new Error(`No mail came for ${email}.`);
}
