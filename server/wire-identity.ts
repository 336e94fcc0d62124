import type { Config } from '#server/config.ts';
import {
  createBackgroundWork,
  createIdentityMails,
  createPasswords,
  type IdentityDependencies,
  type OutboxReader,
} from '#server/features/accounts/index.ts';
import type { Logger } from '#server/platform/log.ts';
import { openMailer } from '#server/platform/mail/open-mailer.ts';
import { listOutbox, readOutbox } from '#server/platform/mail/outbox-mailer.ts';

export interface Identity {
  identity: IdentityDependencies;
  outbox: OutboxReader | undefined;
  socialProviders: { github: boolean; google: boolean };
  /** Waits for mails that are under way. */
  close(): Promise<void>;
}

/** Composes what signing up and in needs. `onAccountCreated` comes from the features above accounts. */
export function wireIdentity(
  config: Config,
  parts: { publicUrl: string; log: Logger } & Pick<IdentityDependencies, 'onAccountCreated'>,
): Identity {
  const { publicUrl, log, onAccountCreated } = parts;
  const { mail, productName } = config;
  const mailer = openMailer(mail);
  const background = createBackgroundWork(log);
  const identity: IdentityDependencies = {
    isSignUpOpen: config.signUp === 'open',
    passwords: createPasswords(),
    mails: createIdentityMails({ mailer, productName, publicUrl }),
    background,
    onAccountCreated,
  };
  return {
    identity,
    outbox: mail.kind === 'outbox' ? outboxOf(mail.folder) : undefined,
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
