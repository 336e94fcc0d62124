import type { Config } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import {
  type AccountDeletion,
  attemptKeyOf,
  createBackgroundWork,
  createIdentityMails,
  createPasswords,
  endAccess,
  type IdentityDependencies,
  type OutboxReader,
  type SocialDependencies,
  type VerifiedHook,
} from '#server/features/accounts/index.ts';
import { closeBilling, forgetBuyer } from '#server/features/billing/index.ts';
import { deleteChatsOf } from '#server/features/chat/index.ts';
import { type ConfDependencies, createConfMails } from '#server/features/conf/index.ts';
import { endAllConnections, listOpenConnections } from '#server/features/connections/index.ts';
import { accountCreditsOf, anonymiseLedger, grantInitialCredits } from '#server/features/credits/index.ts';
import { forgetConnection } from '#server/features/hosting/index.ts';
import { countOpenKeys, revokeAllKeys } from '#server/features/keys/index.ts';
import { removePersonalLibrary } from '#server/features/library/index.ts';
import { removePersonalPdfSets } from '#server/features/pdf-sets/index.ts';
import { removePersonalProfiles } from '#server/features/profile/index.ts';
import { deleteSessionsOf } from '#server/features/search/index.ts';
import {
  type AccountCredits,
  leaveAllTeams,
  requireNoTeamDependsOn,
  type TeamDependencies,
} from '#server/features/teams/index.ts';
import { erasureRecord } from '#server/platform/erasure-record.ts';
import { githubProvider } from '#server/platform/identity/github-provider.ts';
import { googleProvider } from '#server/platform/identity/google-provider.ts';
import { type LastingMailer, lastingMailer } from '#server/platform/mail/lasting-mailer.ts';
import { createLetters, type SendLetter } from '#server/platform/mail/letter.ts';
import type { Mailer } from '#server/platform/mail/mailer.ts';
import { openMailer } from '#server/platform/mail/open-mailer.ts';
import { listOutbox, readOutbox } from '#server/platform/mail/outbox-mailer.ts';
import type { Outbound } from '#server/platform/outbound/index.ts';
import type { SealingKeys } from '#server/platform/sealing.ts';
import { wireTeams } from './wire-teams.ts';

export interface Identity {
  identity: IdentityDependencies;
  social: SocialDependencies;
  socialProviders: { github: boolean; google: boolean };
  /** Undefined when mails are sent. */
  outbox: OutboxReader | undefined;
  accountDeletion: AccountDeletion;
  onVerified: VerifiedHook;
  teams: TeamDependencies;
  accountCredits: AccountCredits;
  letters: SendLetter;
  conf: ConfDependencies;
  /** Sends again what a mail server did not take; undefined where mails are kept and not sent. */
  lastingMails: LastingMailer | undefined;
  /** Waits for mails that are under way. */
  close(): Promise<void>;
}

/** Composes what signing up and in needs, and what features above accounts do when an account is made or deleted. */
export function wireIdentity(
  config: Config,
  parts: {
    base: Pick<Context, 'db' | 'clock' | 'log'>;
    publicUrl: string;
    outbound: Outbound;
    secret: Uint8Array;
    sealingKeys: SealingKeys;
  },
): Identity {
  const { base, publicUrl, outbound, secret, sealingKeys } = parts;
  const { mail, productName, github, google } = config;
  const { mailer, lastingMails } = openMails(mail, { ...base, sealingKeys });
  const background = createBackgroundWork(base.log);
  const letters = createLetters({ mailer, productName, publicUrl });
  const identity: IdentityDependencies = {
    isSignUpOpen: config.signUp === 'open',
    isForThisMachine: config.isForThisMachine,
    passwords: createPasswords(),
    mails: createIdentityMails({ send: letters, productName, publicUrl }),
    background,
    onAccountCreated: (tx, user) => grantInitialCredits(tx, user.id, user.createdAt),
    endAgentAccess: async (tx, userId, now) => {
      await revokeAllKeys(tx, userId, now);
      await endAllConnections(tx, userId, now);
    },
    countAgentAccess: async (db, userId, now) => ({
      apiKeys: await countOpenKeys(db, userId),
      connections: (await listOpenConnections(db, userId, now)).length,
    }),
    endLinks: (tx, userId, now) => forgetConnection(tx, userId, now, { sealingKeys }),
  };
  const teams = wireTeams(config, {
    ...{ publicUrl, letters, background },
    endOtherAccess: (tx, userId, now, exceptSessionId) => endAccess(tx, userId, now, identity, exceptSessionId),
  });
  const providers = {
    github: github && githubProvider(github, outbound),
    google: google && googleProvider(google, outbound),
  };
  return {
    identity,
    social: { ...identity, providers, publicUrl, attemptKey: attemptKeyOf(secret) },
    socialProviders: { github: github !== undefined, google: google !== undefined },
    outbox: mail.kind === 'outbox' ? outboxOf(mail.folder) : undefined,
    accountDeletion: wireAccountDeletion(config, teams, sealingKeys),
    onVerified: async () => undefined,
    ...{ teams, letters, lastingMails },
    accountCredits: accountCreditsOf,
    conf: { mails: createConfMails({ send: letters, productName, publicUrl }), background, sealingKeys },
    async close() {
      await background.settled();
      await mailer.close();
    },
  };
}

/** What features above accounts do when an account is deleted. */
function wireAccountDeletion(config: Config, teams: TeamDependencies, sealingKeys: SealingKeys): AccountDeletion {
  return {
    requireNoDependants: requireNoTeamDependsOn,
    departures: [
      (tx, userId, now) => leaveAllTeams(tx, userId, now, teams),
      (tx, userId, now) => forgetConnection(tx, userId, now, { sealingKeys }),
      forgetBuyer,
    ],
    removals: [
      (tx, userId, now) => closeBilling(tx, `user:${userId}`, now),
      anonymiseLedger,
      removePersonalLibrary,
      removePersonalPdfSets,
      removePersonalProfiles,
      deleteSessionsOf,
      deleteChatsOf,
    ],
    record: erasureRecord(config.dataFolder),
  };
}

/** What a mail server does not take is sent again; what goes into a folder is there. */
function openMails(
  mail: Config['mail'],
  parts: Pick<Context, 'db' | 'clock' | 'log'> & { sealingKeys: SealingKeys },
): { mailer: Mailer; lastingMails: LastingMailer | undefined } {
  const mailer = openMailer(mail);
  if (mail.kind !== 'smtp') return { mailer, lastingMails: undefined };
  const lastingMails = lastingMailer({ ...parts, mailer });
  return { mailer: lastingMails, lastingMails };
}

function outboxOf(folder: string): OutboxReader {
  return {
    list: (limit) => listOutbox(folder, { limit }),
    read: (mailId) => readOutbox(folder, mailId),
  };
}
