import { accountDetailEndpoints } from '#contract/account-details.ts';
import { accountEndpoints } from '#contract/accounts.ts';
import { identityEndpoints } from '#contract/identity.ts';
import { outboxEndpoints } from '#contract/outbox.ts';
import type { Context } from '#server/context.ts';
import {
  type AccountDeletion,
  actingUser,
  applyVerificationCode,
  changePassword,
  claimLocalOwner,
  confirmReset,
  createSignInLink,
  disownAddress,
  endSession,
  endWebSession,
  getAccountDetails,
  type IdentityDependencies,
  isNobodyElsesYet,
  issueIdentityToken,
  listOutboxMails,
  listSessions,
  type OutboxReader,
  presentUser,
  readOutboxMail,
  redeemSignInLink,
  requireOperator,
  sendPasswordReset,
  sendVerification,
  signInWithEmail,
  signUpWithEmail,
  updateProfile,
  verifyResetCode,
} from '#server/features/accounts/index.ts';
import { type Call, type CallEffects, call } from './call-table.ts';

export interface IdentityCallDependencies {
  productName: string;
  publicUrl: string;
  identity: IdentityDependencies;
  accountDeletion: AccountDeletion;
  /** Social providers that are configured. */
  socialProviders: { github: boolean; google: boolean };
  /** Undefined when mails are sent. */
  outbox: OutboxReader | undefined;
}

/** Who is signed in, and the local owner's way in. */
export function accountCalls({ productName, publicUrl }: IdentityCallDependencies): Call[] {
  return [
    call(accountEndpoints.getSession, async (ctx, _input, effects) => {
      // A browser that sends a session that is over would be taken for that of somebody, page after page.
      if (ctx.actor.kind === 'anonymous' && effects.browser.sessionToken !== undefined) effects.setSession(null, 0);
      const user = await actingUser(ctx);
      return { user: user === undefined ? null : await presentUser(ctx, user), productName, publicUrl };
    }),
    call(accountEndpoints.redeemSignInLink, async (ctx, input, effects) =>
      signedIn(ctx, await redeemSignInLink(ctx, input, effects.browser), effects),
    ),
    call(accountEndpoints.signOut, async (ctx, _input, effects) => {
      const { sessionToken } = effects.browser;
      if (sessionToken !== undefined) await endWebSession(ctx, sessionToken);
      effects.setSession(null, 0);
      return {};
    }),
    call(accountEndpoints.createSignInLink, async (ctx) => {
      requireOperator(ctx);
      return { url: `${publicUrl}/sign-in?code=${await createSignInLink(ctx)}` };
    }),
  ];
}

/** Signing up and in with e-mail, and what one does with one's account. */
export function identityCalls({
  identity,
  socialProviders,
  outbox,
  accountDeletion,
}: IdentityCallDependencies): Call[] {
  return [
    call(identityEndpoints.signInWithEmail, async (ctx, input, effects) =>
      signedIn(ctx, await signInWithEmail(ctx, input, effects.browser, identity), effects),
    ),
    call(identityEndpoints.signUpWithEmail, async (ctx, input, effects) =>
      signedIn(ctx, await signUpWithEmail(ctx, input, effects.browser, identity), effects),
    ),
    call(identityEndpoints.sendPasswordReset, async (ctx, input, { browser }) =>
      nothing(await sendPasswordReset(ctx, input, browser, identity)),
    ),
    call(identityEndpoints.verifyResetCode, (ctx, input, { browser }) =>
      verifyResetCode(ctx, input, browser, identity),
    ),
    call(identityEndpoints.confirmReset, async (ctx, input, { browser }) =>
      nothing(await confirmReset(ctx, input, browser, identity)),
    ),
    call(identityEndpoints.sendVerification, async (ctx, _input, { browser }) =>
      nothing(await sendVerification(ctx, browser, identity)),
    ),
    call(identityEndpoints.applyVerificationCode, async (ctx, input, effects) => {
      const { wasVerified, session } = await applyVerificationCode(ctx, input, effects.browser, identity);
      if (session !== undefined) effects.setSession(session.sessionToken, session.expiresAt);
      return { wasVerified };
    }),
    call(identityEndpoints.disownAddress, async (ctx, input, { browser }) =>
      nothing(await disownAddress(ctx, input, browser, { ...identity, deletion: accountDeletion })),
    ),
    call(identityEndpoints.updateProfile, async (ctx, input) => ({
      user: await presentUser(ctx, await updateProfile(ctx, input)),
    })),
    call(identityEndpoints.changePassword, async (ctx, input) => nothing(await changePassword(ctx, input, identity))),
    call(identityEndpoints.claimLocalOwner, async (ctx, input) => ({
      user: await presentUser(ctx, await claimLocalOwner(ctx, input, identity)),
    })),
    call(identityEndpoints.listSessions, async (ctx) => ({ sessions: await listSessions(ctx) })),
    call(identityEndpoints.endSession, async (ctx, input) => nothing(await endSession(ctx, input))),
    call(identityEndpoints.issueIdentityToken, (ctx) => issueIdentityToken(ctx)),
    call(accountDetailEndpoints.getAccountDetails, (ctx) => getAccountDetails(ctx)),
    call(identityEndpoints.getSignInMethods, async (ctx) => ({
      ...socialProviders,
      emailPassword: true,
      signUp: identity.isSignUpOpen,
      mailIsOutbox: outbox !== undefined,
      asksVerification: !(identity.isForThisMachine && (await isNobodyElsesYet(ctx.db.query))),
    })),
  ];
}

/** The mails that were kept instead of sent. */
export function outboxCalls({ outbox }: IdentityCallDependencies): Call[] {
  return [
    call(outboxEndpoints.listOutbox, async (ctx) => ({ mails: await listOutboxMails(ctx, outbox) })),
    call(outboxEndpoints.readOutboxMail, async (ctx, input) => ({ mail: await readOutboxMail(ctx, input, outbox) })),
  ];
}

type SignedIn = Awaited<ReturnType<typeof redeemSignInLink>>;

async function signedIn(ctx: Context, { user, sessionToken, expiresAt }: SignedIn, effects: CallEffects) {
  effects.setSession(sessionToken, expiresAt);
  return { user: await presentUser(ctx, user) };
}

/** For verbs whose success says everything. */
function nothing(_done: void): Record<string, never> {
  return {};
}
