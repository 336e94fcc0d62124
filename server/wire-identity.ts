import type { Config } from '#server/config.ts';
import {
  type AccountDeletion,
  createBackgroundWork,
  createIdentityMails,
  createPasswords,
  type IdentityDependencies,
  type OutboxReader,
  type VerifiedHook,
} from '#server/features/accounts/index.ts';
import { anonymiseLedger, grantInitialCredits } from '#server/features/credits/index.ts';
import { removePersonalLibrary } from '#server/features/library/index.ts';
import { deleteSessionsOf } from '#server/features/search/index.ts';
import type { Logger } from '#server/platform/log.ts';
import { openMailer } from '#server/platform/mail/open-mailer.ts';
import { listOutbox, readOutbox } from '#server/platform/mail/outbox-mailer.ts';

export interface Identity {
  identity: IdentityDependencies;
  outbox: OutboxReader | undefined;
  accountDeletion: AccountDeletion;
  onVerified: VerifiedHook;
  socialProviders: { github: boolean; google: boolean };
  /** Waits for mails that are under way. */
  close(): Promise<void>;
}

/** Composes what signing up and in needs, and what features above accounts do when an account is made or deleted. */
export function wireIdentity(config: Config, parts: { publicUrl: string; log: Logger }): Identity {
  const { publicUrl, log } = parts;
  const { mail, productName } = config;
  const mailer = openMailer(mail);
  const background = createBackgroundWork(log);
  const identity: IdentityDependencies = {
    isSignUpOpen: config.signUp === 'open',
    passwords: createPasswords(),
    mails: createIdentityMails({ mailer, productName, publicUrl }),
    background,
    onAccountCreated: (tx, user) => grantInitialCredits(tx, user.id, user.createdAt),
  };
  return {
    identity,
    outbox: mail.kind === 'outbox' ? outboxOf(mail.folder) : undefined,
    accountDeletion: {
      // Nobody can be the last admin of a team while there are none.
      requireNoDependants: async () => undefined,
      removals: [anonymiseLedger, removePersonalLibrary, deleteSessionsOf],
    },
    onVerified: async () => undefined,
    socialProviders: { github: false, google: false },
    async close() {
      await background.settled();
      await mailer.close();
    },
  };
}

function outboxOf(folder: string): OutboxReader {
  return {
    list: (limit) => listOutbox(folder, { limit }),
    read: (mailId) => readOutbox(folder, mailId),
  };
}
