import { accountDetailEndpoints } from '#contract/account-details.ts';
import { accountEndpoints } from '#contract/accounts.ts';
import { identityEndpoints } from '#contract/identity.ts';
import { operatorEndpoints } from '#contract/operator.ts';
import { outboxEndpoints } from '#contract/outbox.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import type { Queries, Transaction } from '#server/platform/db/database.ts';
import { onceSteady } from '#server/platform/db/has-come.ts';
import type { Row } from '#server/platform/db/schema.ts';
import { erasureRecord } from '#server/platform/erasure-record.ts';
import { githubProvider } from '#server/platform/identity/github-provider.ts';
import { googleProvider } from '#server/platform/identity/google-provider.ts';
import { listOutbox, readOutbox } from '#server/platform/mail/outbox-mailer.ts';
import type { Platform } from '#server/platform/open-platform.ts';
import { productVersion } from '#server/platform/product-version.ts';
import type { Browser, CallEffects } from '../call.ts';
import { bind, feature, hook, serve } from '../feature.ts';
import type { ScheduledJob } from '../scheduled-jobs.ts';
import { changePassword } from './change-password.ts';
import { type AccountDeletion, deleteAccount, listDeletedAccounts, replayErasures } from './delete-account.ts';
import { endAccess } from './end-access.ts';
import type { IdentityDependencies } from './identity-dependencies.ts';
import { isNobodyElsesYet } from './identity-store.ts';
import { createKnownDevices } from './known-devices.ts';
import { createIdentityMails } from './mails.ts';
import { requireOperatorAccount } from './operator-account.ts';
import { listOutboxMails, type OutboxReader, readOutboxMail } from './outbox.ts';
import { confirmReset, sendPasswordReset, verifyResetCode } from './password-reset.ts';
import { createPasswords, scryptCost } from './passwords.ts';
import { createPasswordLink, createPerson, deletePerson, endSessionsOf, listPeople, updatePerson } from './people.ts';
import { requirePerson } from './policy.ts';
import { getAccountDetails, presentUser, updateMarketingConsent, updateProfile } from './profile.ts';
import { claimLocalOwner, createSignInLink, redeemSignInLink } from './sign-in-link.ts';
import { signInWithEmail } from './sign-in-with-email.ts';
import { signUpWithEmail } from './sign-up-with-email.ts';
import { attemptKeyOf } from './social-attempt.ts';
import { beginSocialSignIn, finishSocialSignIn, type SocialDependencies } from './social-sign-in.ts';
import { endSessionsInTime, ensureLocalOwner, listActionsOf } from './store.ts';
import { applyVerificationCode, disownAddress, onEmailVerified, sendVerification } from './verify-email.ts';
import {
  actingUser,
  endSession,
  endWebSession,
  issueIdentityToken,
  listSessions,
  personOfIdentityToken,
  personOfWebSession,
} from './web-session.ts';

export type Accounts = Awaited<ReturnType<typeof openAccounts>>;

/**
 * Opens accounts: users, their sessions and sign-in methods, and hooks for features above when an account is created,
 * changed or deleted.
 */
export async function openAccounts(platform: Platform) {
  const { config, db, clock, log } = platform;
  const hooks = accountHooks();
  const needs = needsOf(platform, hooks);
  const deletion: AccountDeletion = {
    requireNoDependants: hooks.deletionAsked,
    leaving: hooks.leaving,
    deleted: hooks.deleted,
    record: erasureRecord(config.dataFolder, config.blobs.kind === 's3' ? platform : undefined),
  };
  const social = socialOf(platform, needs);
  const withDeletion = { ...needs, deletion };
  return feature({
    name: 'accounts',
    verbs: {
      ...hooks,
      /** The id of the local owner's account. */
      ownerId: await ensureLocalOwner(db, clock),
      needs,
      social,
      ...bind(social, { beginSocialSignIn }),
      finishSocialSignIn: (ctx: Context, input: Parameters<typeof finishSocialSignIn>[1], browser: Browser) =>
        finishSocialSignIn(ctx, input, browser, social),
      ...bind(withDeletion, { deleteAccount }),
      ...bind(undefined, { updateMarketingConsent }),
      onEmailVerified: (ctx: Context) => onEmailVerified(ctx, { onVerified: hooks.verified }),
      endAccess: (tx: Transaction, userId: string, now: number, exceptSessionId: string | undefined) =>
        endAccess(tx, userId, now, needs, exceptSessionId),
      personOfWebSession: (token: string) => personOfWebSession({ db, clock, log }, token),
      personOfIdentityToken: (token: string) => personOfIdentityToken({ db, clock }, token),
    },
    endpoints: [
      ...sessionCalls(platform, needs),
      ...identityCalls(platform, withDeletion, social),
      ...outboxCalls(platform),
      ...operatorCalls(platform, withDeletion),
    ],
    personalData: {
      account: async (ctx) => {
        const user = await actingUser(ctx);
        if (user === undefined) throw new AppError('unauthenticated');
        return { ...(await presentUser(ctx, user)), ...(await getAccountDetails(ctx, social)) };
      },
      sessions: (ctx) => listSessions(ctx),
      actions: (ctx) => listActionsOf(ctx.db.query, requirePerson(ctx)),
    },
    scheduledJobs: [
      ...mailJobs(platform),
      {
        // The bucket may have been unreachable when they were deleted.
        name: 'note deleted accounts',
        where: 'worker',
        everyMs: 3_600_000,
        run: async (ctx) => deletion.record?.add(await listDeletedAccounts(ctx.db.query)),
      },
      {
        name: 'end sessions in time',
        where: 'worker',
        everyMs: 3_600_000,
        run: onceSteady(platform.clock, (ctx) => endSessionsInTime(ctx.db.query, ctx.clock.now())),
      },
    ],
    // A restored backup brings back accounts that were deleted after it was made.
    beforeServing: async (ctx) => void (await replayErasures(ctx, deletion)),
  });
}

/** Returns the job that sends emails which the mail server did not accept before. */
function mailJobs({ lastingMails }: Platform): ScheduledJob[] {
  if (lastingMails === undefined) return [];
  return [{ name: 'send waiting mails', where: 'worker', everyMs: 5_000, run: () => lastingMails.sendDue() }];
}

/** Numbers of a user's active keys and connected applications. */
interface AgentAccess {
  apiKeys: number;
  connections: number;
}

function accountHooks() {
  type OfPerson = [tx: Transaction, userId: string, now: number];
  return {
    created: hook<[tx: Transaction, user: Row<'users'>]>(),
    /** Runs once per account, when its address has been verified. */
    verified: hook<[tx: Transaction, user: Row<'users'>]>(),
    /** Runs when the name that others see has changed. */
    profileChanged: hook<[tx: Transaction, userId: string]>(),
    /** Ends all access of agents that act for a user, in teams too. */
    agentAccessEnded: hook<OfPerson>(),
    agentAccessCounted: hook<[counts: AgentAccess, db: Queries, userId: string, now: number]>(),
    /** Runs when an operator disables the account: activities on its behalf must stop. */
    disabled: hook<OfPerson>(),
    /** Removes links that a stranger may have added: the account is handed to its address's owner. */
    linksEnded: hook<OfPerson>(),
    /** A handler throws if others depend on the account, for example a team whose last admin it is. */
    deletionAsked: hook<[tx: Transaction, userId: string]>(),
    /** Runs before the account is deleted, while its row still exists. */
    leaving: hook<OfPerson>(),
    /** Runs after the account's row is deleted. */
    deleted: hook<OfPerson>(),
  };
}

function needsOf(
  { config, letters, publicUrl, background, sealingKeys }: Platform,
  hooks: ReturnType<typeof accountHooks>,
): IdentityDependencies {
  const { productName } = config;
  return {
    isSignUpOpen: config.signUp === 'open',
    isForThisMachine: config.isForThisMachine,
    passwords: createPasswords(scryptCost(config.passwordCost)),
    devices: createKnownDevices(sealingKeys[0]),
    mails: createIdentityMails({ send: letters, productName, publicUrl }),
    background,
    onAccountCreated: hooks.created,
    onProfileChanged: hooks.profileChanged,
    endAgentAccess: hooks.agentAccessEnded,
    async countAgentAccess(queries, userId, now) {
      const counts = { apiKeys: 0, connections: 0 };
      await hooks.agentAccessCounted(counts, queries, userId, now);
      return counts;
    },
    onDisabled: hooks.disabled,
    endLinks: hooks.linksEnded,
  };
}

function socialOf(
  { config: { github, google }, outbound, publicUrl, sealingKeys }: Platform,
  needs: IdentityDependencies,
): SocialDependencies {
  const providers = {
    github: github && githubProvider(github, outbound),
    google: google && googleProvider(google, outbound),
  };
  return { ...needs, providers, publicUrl, attemptKey: attemptKeyOf(sealingKeys[0]) };
}

/** Returns the calls for the current session and the local owner's sign-in. */
function sessionCalls({ config: { productName }, publicUrl }: Platform, needs: IdentityDependencies) {
  return serve(accountEndpoints, {
    getSession: async (ctx, _input, effects) => {
      // Clear the cookie: otherwise the browser would send the ended session's token with every request.
      if (ctx.actor.kind === 'anonymous' && effects.browser.sessionToken !== undefined) effects.setSession(null, 0);
      // Read first, so that later changes are streamed.
      const livePosition = effects.livePositionOf?.(ctx.actor);
      const user = await actingUser(ctx);
      if (user === undefined) return { user: null, productName, publicUrl };
      return { user: await presentUser(ctx, user), productName, publicUrl, livePosition };
    },
    redeemSignInLink: async (ctx, input, effects) =>
      signedIn(ctx, await redeemSignInLink(ctx, input, effects.browser), effects, needs),
    signOut: async (ctx, _input, effects) => {
      const { sessionToken } = effects.browser;
      if (sessionToken !== undefined) await endWebSession(ctx, sessionToken);
      effects.setSession(null, 0);
      return {};
    },
    createSignInLink: async (ctx) => ({ url: `${publicUrl}/sign-in?code=${await createSignInLink(ctx)}` }),
  });
}

/** Returns the calls for sign-up and sign-in by email, and for users' own accounts. */
function identityCalls(
  { config }: Platform,
  needs: IdentityDependencies & { deletion: AccountDeletion },
  social: Pick<SocialDependencies, 'providers'>,
) {
  const methods = {
    github: config.github !== undefined,
    google: config.google !== undefined,
    emailPassword: true,
    signUp: needs.isSignUpOpen,
  };
  const { getAccountDetails: details } = accountDetailEndpoints;
  return [
    ...serve({ details }, { details: (ctx) => getAccountDetails(ctx, social) }),
    ...serve(identityEndpoints, {
      signInWithEmail: async (ctx, input, effects) =>
        signedIn(ctx, await signInWithEmail(ctx, input, effects.browser, needs), effects, needs),
      signUpWithEmail: async (ctx, input, effects) =>
        signedIn(ctx, await signUpWithEmail(ctx, input, effects.browser, needs), effects, needs),
      sendPasswordReset: async (ctx, input, { browser }) =>
        nothing(await sendPasswordReset(ctx, input, browser, needs)),
      verifyResetCode: (ctx, input, { browser }) => verifyResetCode(ctx, input, browser, needs),
      confirmReset: async (ctx, input, effects) => {
        const { userId } = await confirmReset(ctx, input, effects.browser, needs);
        effects.setDevice(needs.devices.tokenFor(userId));
        return {};
      },
      sendVerification: async (ctx, _input, { browser }) => nothing(await sendVerification(ctx, browser, needs)),
      applyVerificationCode: async (ctx, input, effects) => {
        const { wasVerified, session } = await applyVerificationCode(ctx, input, effects.browser, needs);
        if (session !== undefined) {
          effects.setSession(session.sessionToken, session.expiresAt);
          effects.setDevice(needs.devices.tokenFor(session.userId));
        }
        return { wasVerified };
      },
      disownAddress: async (ctx, input, { browser }) => nothing(await disownAddress(ctx, input, browser, needs)),
      updateProfile: async (ctx, input) => ({ user: await presentUser(ctx, await updateProfile(ctx, input, needs)) }),
      changePassword: async (ctx, input) => nothing(await changePassword(ctx, input, needs)),
      claimLocalOwner: async (ctx, input) => ({
        user: await presentUser(ctx, await claimLocalOwner(ctx, input, needs)),
      }),
      listSessions: async (ctx) => ({ sessions: await listSessions(ctx) }),
      endSession: async (ctx, input) => nothing(await endSession(ctx, input)),
      issueIdentityToken,
      getSignInMethods: async (ctx) => ({
        ...methods,
        asksVerification: !(needs.isForThisMachine && (await isNobodyElsesYet(ctx.db.query))),
      }),
    }),
  ];
}

/** Returns the calls for emails that are kept in the outbox instead of sent. */
function outboxCalls({ config: { mail } }: Platform) {
  const outbox: OutboxReader | undefined =
    mail.kind === 'outbox'
      ? {
          list: (limit) => listOutbox(mail.folder, { limit }),
          read: (mailId) => readOutbox(mail.folder, mailId),
        }
      : undefined;
  return serve(outboxEndpoints, {
    listOutbox: async (ctx) => ({ mails: await listOutboxMails(ctx, outbox) }),
    readOutboxMail: async (ctx, input) => ({ mail: await readOutboxMail(ctx, input, outbox) }),
  });
}

/** Returns the operators' calls for accounts and the server's settings. */
function operatorCalls(
  { config: { roles, dataFolder, settings }, publicUrl }: Platform,
  needs: IdentityDependencies & { deletion: AccountDeletion },
) {
  const about = { version: productVersion, node: process.version, publicUrl, roles, dataFolder, variables: settings };
  return serve(operatorEndpoints, {
    listPeople,
    createPerson: (ctx, input) => createPerson(ctx, input, needs),
    updatePerson: async (ctx, input) => ({ person: await updatePerson(ctx, input, needs) }),
    createPasswordLink: (ctx, input) => createPasswordLink(ctx, input, needs),
    endSessionsOf: async (ctx, input) => ({ person: await endSessionsOf(ctx, input, needs) }),
    deletePerson: async (ctx, input) => nothing(await deletePerson(ctx, input, needs)),
    getSettings: async (ctx) => {
      await requireOperatorAccount(ctx);
      return about;
    },
  });
}

type SignedIn = Awaited<ReturnType<typeof redeemSignInLink>>;

async function signedIn(
  ctx: Context,
  { user, sessionToken, expiresAt }: SignedIn,
  effects: CallEffects,
  { devices }: Pick<IdentityDependencies, 'devices'>,
) {
  effects.setSession(sessionToken, expiresAt);
  effects.setDevice(devices.tokenFor(user.id));
  return { user: await presentUser(ctx, user) };
}

/** Returns an empty result for calls whose success is the answer. */
function nothing(_done: void): Record<string, never> {
  return {};
}
