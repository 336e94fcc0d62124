import { randomBytes, randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { Actor, Context } from '#server/context.ts';
import type { IdentityDependencies } from '#server/features/accounts/identity-dependencies.ts';
import { createKnownDevices } from '#server/features/accounts/known-devices.ts';
import { createIdentityMails } from '#server/features/accounts/mails.ts';
import { createPasswords } from '#server/features/accounts/passwords.ts';
import { signUpWithEmail } from '#server/features/accounts/sign-up-with-email.ts';
import { personOfWebSession } from '#server/features/accounts/web-session.ts';
import type { Browser } from '#server/features/call.ts';
import { createBackgroundWork } from '#server/platform/background-work.ts';
import type { Change } from '#server/platform/bus/announce-change.ts';
import { openDatabase } from '#server/platform/db/open-database.ts';
import { createLetters, type SendLetter } from '#server/platform/mail/letter.ts';
import { openMailer } from '#server/platform/mail/open-mailer.ts';
import { createSettableClock, type SettableClock } from '#test/services/settable-clock.ts';
import { type DatabaseKind, freshDatabaseConfig } from './database.ts';
import { silentLog } from './log.ts';
import { startMailServer } from './mail-server.ts';

export type SampleContext = Context & { clock: SettableClock };

/** An installation's account features: real database, real mail server, a clock that stands still. */
export interface IdentitySample {
  visitor: SampleContext;
  deps: IdentityDependencies;
  send: SendLetter;
  /** Workspaces whose open pages had to reload their session. */
  told: string[];
  /** New accounts, as reported to other features. */
  created: string[];
  /** Accounts whose keys and connections had to end, as reported to other features. */
  ended: string[];
  /** Users whose other links were deleted. */
  unlinked: string[];
  /** Returns the mails to an address, oldest first, once all have been sent. */
  mailsTo(email: string): Promise<{ subject: string; code: string; text: string; html: string }[]>;
  as(actor: Actor): SampleContext;
  /** Returns the context of this token's session. */
  of(sessionToken: string): Promise<SampleContext>;
  /** Signs up; returns the account's id, its session and its context. */
  join(email?: string, password?: string): Promise<{ userId: string; sessionToken: string; ctx: SampleContext }>;
}

/** Cheap enough to hash hundreds of times in a test. */
export const cheapCost = { n: 2 ** 4, blockSize: 8, passes: 1 };

export function browserAt(address = '192.0.2.7', sessionToken?: string): Browser {
  return { address, userAgent: 'Sample browser', sessionToken };
}

/** Opens a sample; its mail server stops after the test. */
export async function openIdentitySample(kind: DatabaseKind = 'sqlite'): Promise<IdentitySample> {
  const [told, created, ended, unlinked]: [string[], string[], string[], string[]] = [[], [], [], []];
  const db = await openDatabase(await freshDatabaseConfig(kind), (topic, payload) => {
    if (topic === 'changes') told.push((JSON.parse(payload) as Change).audience);
  });
  const server = await startMailServer();
  onTestFinished(async () => {
    await db.close();
    await server.stop();
  });
  const clock = createSettableClock();
  const background = createBackgroundWork(silentLog);
  const mailer = openMailer({ kind: 'smtp', url: server.url, from: 'Sample <sample@docs.example>' });
  const site = { productName: 'Sample', publicUrl: 'https://docs.example' };
  const send = createLetters({ ...site, mailer });
  const deps: IdentityDependencies = {
    isSignUpOpen: true,
    isForThisMachine: false,
    passwords: createPasswords(cheapCost),
    devices: createKnownDevices(randomBytes(32)),
    mails: createIdentityMails({ ...site, send }),
    background,
    onAccountCreated: async (_tx, user) => void created.push(user.id),
    endAgentAccess: async (_tx, userId) => void ended.push(userId),
    countAgentAccess: async () => ({ apiKeys: 0, connections: 0 }),
    onProfileChanged: async () => undefined,
    onDisabled: async () => undefined,
    endLinks: async (_tx, userId) => void unlinked.push(userId),
  };
  const as = (actor: Actor): SampleContext => ({
    actor,
    workspace: actor.kind === 'anonymous' ? null : `user:${actor.userId}`,
    db,
    clock,
    log: silentLog,
    requestId: randomUUID(),
  });
  const visitor = as({ kind: 'anonymous' });
  const of = async (sessionToken: string) =>
    as((await personOfWebSession(visitor, sessionToken)) ?? { kind: 'anonymous' });
  return {
    ...{ visitor, deps, send, told, created, ended, unlinked, as, of },
    async mailsTo(email) {
      await background.settled();
      const mails = server.received.filter(({ envelopeTo }) => envelopeTo.includes(email));
      return mails.map(({ email: { subject = '', text = '', html = '' } }) => {
        return { subject, text, html, code: /oobCode=([\w-]+)/.exec(text)?.[1] ?? '' };
      });
    },
    async join(email = 'anna@docs.example', password = 'correct horse') {
      const { user, sessionToken } = await signUpWithEmail(visitor, { email, password }, browserAt(), deps);
      return { userId: user.id, sessionToken, ctx: await of(sessionToken) };
    },
  };
}

/** Returns the AppError code of a refused call. */
export async function refusal(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
  return 'nothing refused';
}
