import { type SocialProvider as ProviderName, serviceNames } from '#contract/identity.ts';
import * as limits from '#contract/limits.ts';
import { nameLine } from '#contract/name-line.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { Row } from '#server/platform/db/schema.ts';
import {
  type ServiceProvider,
  type SocialProfile,
  SocialSignInError,
} from '#server/platform/identity/social-provider.ts';
import type { Browser } from '../call.ts';
import { makeActionCode } from './action-codes.ts';
import { normalizeEmail } from './email-address.ts';
import { endAccess, takeOver } from './end-access.ts';
import type { IdentityDependencies } from './identity-dependencies.ts';
import { findIdentityUser, findUserByEmail, holdUser, insertIdentity } from './identity-store.ts';
import { countAttempts } from './rate-limits.ts';
import { hashToken } from './secrets.ts';
import { findWebSession } from './session-store.ts';
import type { SignedIn } from './sign-in-with-email.ts';
import { createAccount } from './sign-up-with-email.ts';
import { newSocialAttempt, packAttempt, type SocialAttempt, unpackAttempt } from './social-attempt.ts';
import { findUser } from './store.ts';
import { verifyByProof } from './verify-email.ts';
import { type OpenedSession, openWebSession } from './web-session.ts';

export interface SocialDependencies
  extends Pick<
    IdentityDependencies,
    'isSignUpOpen' | 'devices' | 'onAccountCreated' | 'mails' | 'background' | 'endAgentAccess' | 'endLinks'
  > {
  /** The configured providers. */
  providers: Partial<Record<ProviderName, ServiceProvider>>;
  attemptKey: Uint8Array;
  publicUrl: string;
}

export interface SocialOutcome extends SignedIn {
  isNewAccount: boolean;
  /** The destination after sign-in, as the browser sent it: not validated. */
  cont: string;
}

/**
 * Begins a sign-in: returns the address to redirect to, and the attempt to keep in the browser's cookie. Has no side
 * effects.
 */
export async function beginSocialSignIn(
  ctx: Context,
  input: { provider: ProviderName; cont: string },
  deps: SocialDependencies,
): Promise<{ redirectTo: string; attempt: SocialAttempt; cookie: string }> {
  const provider = requireProvider(input.provider, deps);
  const attempt = newSocialAttempt(ctx.clock.now(), input.provider, input.cont);
  const redirectTo = await provider.authorizationUrl(redirectUriOf(input.provider, deps), attempt);
  return { redirectTo, attempt, cookie: packAttempt(deps.attemptKey, attempt) };
}

export async function finishSocialSignIn(
  ctx: Context,
  input: { provider: ProviderName; query: URLSearchParams; cookie: string | undefined },
  browser: Browser,
  deps: SocialDependencies,
): Promise<SocialOutcome> {
  const provider = requireProvider(input.provider, deps);
  const attempt = await claimAttempt(ctx, input, deps);
  if (attempt.provider !== input.provider) throw new AppError('sign-in-failed');
  const profile = await identify(ctx, () =>
    provider.identify(input.query, redirectUriOf(input.provider, deps), attempt),
  );
  const candidate = { ...profile, email: emailOf(profile), provider: input.provider };
  return { ...(await signInIdentity(ctx, candidate, browser, deps)), cont: attempt.cont };
}

/**
 * Returns the attempt that this browser started: the state must match the cookie's, within ten minutes and only once.
 */
export async function claimAttempt(
  ctx: Context,
  input: { query: URLSearchParams; cookie: string | undefined },
  deps: Pick<SocialDependencies, 'attemptKey'>,
): Promise<SocialAttempt> {
  const attempt =
    input.cookie === undefined ? undefined : unpackAttempt(deps.attemptKey, ctx.clock.now(), input.cookie);
  if (attempt === undefined || input.query.get('state') !== attempt.state) throw new AppError('sign-in-failed');
  if ((await countAttempts(ctx, [['social-state', attempt.state]])) !== undefined) {
    throw new AppError('sign-in-failed');
  }
  return attempt;
}

/**
 * Signs in a user who proved an identity. A known identity signs in; an unknown one whose provider vouches for the
 * address is linked to the account with that address. If the account never verified it, another person may have created
 * it: the account is then handed over. Without an account one is created. `afterwards` runs in the same transaction.
 */
export async function signInIdentity(
  ctx: Context,
  candidate: Candidate,
  browser: Browser,
  deps: Omit<SocialDependencies, 'providers' | 'attemptKey' | 'publicUrl'>,
  afterwards: (tx: Transaction, signedIn: Omit<SocialOutcome, 'cont'>) => Promise<void> = async () => undefined,
): Promise<Omit<SocialOutcome, 'cont'>> {
  const { email } = candidate;
  const signIn = () =>
    ctx.db.transaction(async (tx) => {
      const signedIn = await signInProfile(tx, ctx.clock.now(), candidate, browser, deps);
      await afterwards(tx, signedIn);
      return signedIn;
    });
  // Of two concurrent first sign-ins, the slower one finds the other's account on retry.
  const { code, ...outcome } = await signIn().catch((error: unknown) => {
    if (error instanceof MadeMeanwhile) return signIn();
    throw error;
  });
  if (code !== undefined && email !== undefined)
    deps.background.run('the verification mail', () => deps.mails.sendVerification(email, code));
  return outcome;
}

/** Thrown to roll back if another process created the account or identity meanwhile. */
class MadeMeanwhile extends Error {}

/** A proven identity at a provider, with the email address in stored form. */
interface Candidate extends SocialProfile {
  provider: string;
}
type Addressed = Candidate & { email: string };

async function signInProfile(
  tx: Transaction,
  now: number,
  given: Candidate,
  browser: Browser,
  deps: Pick<SocialDependencies, 'isSignUpOpen' | 'onAccountCreated' | 'endAgentAccess' | 'endLinks'>,
): Promise<Omit<SocialOutcome, 'cont'> & { code: string | undefined }> {
  const known = await findKnown(tx, given);
  // A known account needs no address: its owner may have removed it at the provider since.
  const candidate = { ...given, email: requireEmail(given.email ?? known?.email, given.provider) };
  const currentSession = await sessionOf(tx, now, browser);
  const current = currentSession && (await findUser(tx, currentSession.userId));
  const named = known ?? (await findUserByEmail(tx, candidate.email));
  if (current !== undefined && current.id !== named?.id) {
    const service = serviceOf(candidate);
    const values = { current: current.email ?? 'the operator', email: candidate.email, service: service ?? '' };
    if (service === undefined) throw new AppError('signed-in-as-another', { values });
    throw new AppError(known === undefined ? 'service-email-differs' : 'service-of-another', { values });
  }
  if (known?.isOperator === 1 && serviceOf(candidate) === undefined) throw existsElsewhere(undefined);
  const existing = known ?? (await linkable(tx, now, { ...candidate, current, currentSession }, deps));
  const user = existing ?? (await makeAccount(tx, now, candidate, deps));
  if (known === undefined) await link(tx, now, user, candidate);
  const needsMail = existing === undefined && user.emailVerifiedAt === null;
  // A user who connects a service keeps the session: a new one would sign their other tabs out until they read its
  // cookie.
  const isConnecting = known === undefined && user.id === current?.id;
  // Read again: the session may have been ended by a takeover, or before the account was locked.
  const kept = isConnecting ? keptSession(browser, await sessionOf(tx, now, browser)) : undefined;
  if (!kept) await recordAudit(tx, now, { actorUserId: user.id, action: 'session.open', entityId: user.id });
  const session = kept ?? (await openWebSession(tx, now, user.id, browser));
  const recipient = { id: user.id, email: candidate.email, sessionId: session.sessionId };
  const code = needsMail ? await makeActionCode(tx, now, 'verify-email', recipient) : undefined;
  return { user, isNewAccount: existing === undefined, code, ...session };
}

/** Returns the service's name; undefined for a team's provider. */
function serviceOf({ provider }: Pick<Candidate, 'provider'>): string | undefined {
  return (serviceNames as Record<string, string>)[provider];
}

/** Returns the error for users who must sign in to the existing account another way. */
function existsElsewhere(service: string | undefined): AppError {
  const next =
    service === undefined
      ? '. Sign in to it another way.'
      : `. Sign in to it first, or choose a password with the link you got. Then connect ${service} under Account.`;
  return new AppError('account-exists-with-different-credential', { values: { next } });
}

async function sessionOf(tx: Transaction, now: number, { sessionToken }: Browser) {
  return sessionToken === undefined ? undefined : findWebSession(tx, hashToken(sessionToken), now);
}

function keptSession({ sessionToken }: Browser, session: Row<'webSessions'> | undefined): OpenedSession | undefined {
  if (sessionToken === undefined || !session?.id) return undefined;
  return { sessionId: session.id, sessionToken, expiresAt: session.expiresAt };
}

async function link(tx: Transaction, now: number, user: Row<'users'>, { provider, subject }: Candidate): Promise<void> {
  if (!(await insertIdentity(tx, { provider, subject, userId: user.id, createdAt: now }))) throw new MadeMeanwhile();
  const entry = { actorUserId: user.id, entityId: user.id, detail: { provider } };
  await recordAudit(tx, now, { ...entry, action: 'identity.link' });
}

/**
 * Returns and locks the account of a known identity, so that a concurrent takeover, which unlinks it, is serialized.
 */
async function findKnown(tx: Transaction, { provider, subject }: Candidate): Promise<Row<'users'> | undefined> {
  const known = await findIdentityUser(tx, provider, subject);
  if (known === undefined || (await holdUser(tx, known.id)) === undefined) return undefined;
  return findIdentityUser(tx, provider, subject);
}

/**
 * Returns the account with the same address, if the identity can be linked to it. A user signed in to that account
 * connects the identity, and verifies the address if the provider vouches for it. Otherwise an identity whose provider
 * does not vouch for the address is refused, since it may belong to the address's former owner; so is one for an
 * operator's account with an unverified address, or one from a team's provider for an operator's account. Any other
 * account with an unverified address is taken over.
 */
async function linkable(
  tx: Transaction,
  now: number,
  {
    email,
    isEmailVerified,
    provider,
    current,
    currentSession,
  }: Addressed & { current: Row<'users'> | undefined; currentSession: Row<'webSessions'> | undefined },
  deps: Pick<SocialDependencies, 'endAgentAccess' | 'endLinks'>,
): Promise<Row<'users'> | undefined> {
  const found = await findUserByEmail(tx, email);
  const user = found && (await holdUser(tx, found.id));
  if (user === undefined) return undefined;
  const isOperator = user.isOperator === 1;
  const service = serviceOf({ provider });
  const isOfTeam = service === undefined;
  const isOwn = user.id === current?.id && !isOfTeam;
  if (isEmailVerified && user.emailVerifiedAt !== null && !(isOperator && isOfTeam)) return user;
  if (!isEmailVerified && isOwn) return user;
  if (!isEmailVerified || (isOperator && !isOwn)) throw existsElsewhere(service);
  // Only an operator has keys before the address is verified, and only the operator can have created them.
  const keptAgents = { endAgentAccess: async () => undefined };
  if (isOwn) await endAccess(tx, user.id, now, isOperator ? keptAgents : deps, currentSession?.id ?? undefined);
  else await takeOver(tx, user, now, deps);
  if (!(await verifyByProof(tx, { id: user.id, email }, now, { by: provider, hasTakenOver: !isOwn }))) {
    throw new MadeMeanwhile();
  }
  return { ...user, emailVerifiedAt: now };
}

async function makeAccount(
  tx: Transaction,
  now: number,
  { email, isEmailVerified, displayName, photoUrl }: Addressed,
  deps: Pick<SocialDependencies, 'isSignUpOpen' | 'onAccountCreated'>,
): Promise<Row<'users'>> {
  if (!deps.isSignUpOpen) throw new AppError('sign-up-closed', { values: { email } });
  const account = {
    email,
    displayName: nameLine(displayName).slice(0, limits.displayNameCharactersMax),
    photoUrl: photoUrl ?? null,
    emailVerifiedAt: isEmailVerified ? now : null,
  };
  const user = await createAccount(tx, now, account, deps);
  if (user === undefined) throw new MadeMeanwhile();
  return user;
}

function requireProvider(name: ProviderName, { providers }: SocialDependencies): ServiceProvider {
  const provider = providers[name];
  if (provider !== undefined) return provider;
  throw new AppError(name === 'github' ? 'github-not-configured' : 'operation-not-allowed');
}

/** Built from the configured address, never from a request; providers compare it exactly. */
function redirectUriOf(provider: ProviderName, { publicUrl }: SocialDependencies): string {
  return `${publicUrl}/api/identity/oauth/${provider}/callback`;
}

/** Returns the provider's result, with its failures as errors for users. */
export async function identify<T>(ctx: Context, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SocialSignInError)) throw error;
    if (error.reason === 'cancelled') throw new AppError('popup-closed-by-user', { cause: error });
    ctx.log.warn({ err: error }, 'a social sign-in failed');
    throw new AppError(error.reason === 'unreachable' ? 'network-request-failed' : 'sign-in-failed', { cause: error });
  }
}

/** Returns a profile's email address in stored form; undefined if it has none or an invalid one. */
export function emailOf({ email }: Pick<SocialProfile, 'email'>): string | undefined {
  try {
    return normalizeEmail(email ?? '');
  } catch {
    return undefined;
  }
}

/** Returns the address, or throws the error that names who gave none. */
export function requireEmail(email: string | null | undefined, provider: string): string {
  if (email) return email;
  const service = serviceOf({ provider }) ?? "Your team's provider";
  throw new AppError('service-email-missing', { values: { service } });
}
