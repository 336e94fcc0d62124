import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import * as limits from '#contract/limits.ts';
import { AppError, rateLimited } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { type AuditEntry, recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { countUp, deleteEndedRateCounts, deleteRateCounts, lowerRateCount, spentOf } from './rate-store.ts';

type Clocked = Pick<Context, 'db' | 'clock' | 'log'>;

interface RateRule {
  /** Attempts allowed per window. */
  max: number;
  windowMinutes: number;
}

/**
 * The rate limits. A window begins with the first attempt and is not extended by refused ones, so no one is locked out
 * forever; counts are rows, shared by all processes and kept across restarts.
 */
const rules = {
  /** Wrong passwords for one account from one address. */
  'sign-in-pair': { max: 10, windowMinutes: 15 },
  /** Wrong passwords for one account from all addresses. */
  'sign-in-account': { max: 50, windowMinutes: 15 },
  'sign-in-address': { max: 50, windowMinutes: 15 },
  /**
   * Wrong passwords for one account from a browser that its owner signed in with before; others cannot use these up.
   */
  'sign-in-device': { max: 10, windowMinutes: 15 },
  'sign-up-address': { max: 30, windowMinutes: 60 },
  /** Emails to one recipient, counted per purpose. */
  'reset-account': { max: 5, windowMinutes: 60 },
  'reset-address': { max: 30, windowMinutes: 60 },
  'verification-account': { max: 5, windowMinutes: 60 },
  'verification-address': { max: 30, windowMinutes: 60 },
  'notice-account': { max: 1, windowMinutes: 60 },
  /** Wrong codes from links in emails. */
  'code-address': { max: 10, windowMinutes: 15 },
  /** Wrong tokens of invite links. */
  'invite-token-address': { max: 30, windowMinutes: 15 },
  'invite-token-account': { max: 30, windowMinutes: 15 },
  /** Emails with invites: per team, per inviting user, and per recipient. */
  'invite-team': { max: 200, windowMinutes: 60 },
  'invite-account': { max: 200, windowMinutes: 60 },
  'invite-recipient': { max: 20, windowMinutes: 60 },
  'invite-address': { max: 300, windowMinutes: 60 },
  /** The same, per user on a free plan in a free team, if the installation sells plans. */
  'invite-free': { max: limits.freeInvitesPerDayMax, windowMinutes: 24 * 60 },
  /** Promotion codes tried, right or wrong. */
  'promotion-account': { max: limits.promotionTriesPerHourMax, windowMinutes: 60 },
  'promotion-address': { max: 2 * limits.promotionTriesPerHourMax, windowMinutes: 60 },
  /** Changes that can be repeated at will and add an entry to the audit log each time. */
  'repeated-change': { max: limits.repeatedChangesPerDayMax, windowMinutes: 24 * 60 },
  /** Calls that cost nothing: further ones are answered but only counted. */
  'free-call': { max: limits.freeReceiptsPerDayMax, windowMinutes: 24 * 60 },
  /** API keys created. */
  'key-account': { max: limits.keysMadePerHourMax, windowMinutes: 60 },
  'key-address': { max: 2 * limits.keysMadePerHourMax, windowMinutes: 60 },
  /** MCP sessions opened; each adds a row. */
  'mcp-session-account': { max: limits.mcpSessionsPerHourMax, windowMinutes: 60 },
  'mcp-session-address': { max: 2 * limits.mcpSessionsPerHourMax, windowMinutes: 60 },
  /** Stored sessions of one user: further ones are answered but not stored. */
  'agent-session': { max: 24 * limits.mcpSessionsPerHourMax, windowMinutes: 24 * 60 },
  /** Wrong current passwords of someone signed in. */
  'confirm-account': { max: 10, windowMinutes: 15 },
  /** A state of a social sign-in is valid once; after this time it is refused as expired. */
  'social-state': { max: 1, windowMinutes: 15 },
  /** Sign-ins started at teams' providers; each fetches the provider's metadata. */
  'sign-on-address': { max: 60, windowMinutes: 15 },
  /** The same, and DNS lookups, by a user who sets up sign-on. */
  'sign-on-account': { max: 60, windowMinutes: 15 },
  /** Accounts created by teams' providers: per team, and per network across teams. */
  'sign-on-made-team': { max: limits.signOnAccountsPerDayMax, windowMinutes: 24 * 60 },
  'sign-on-made-address': { max: limits.signOnAccountsPerDayMax, windowMinutes: 24 * 60 },
  /** Connections to a code host started by a user; each adds a row. */
  'hosting-connect': { max: 30, windowMinutes: 15 },
  /** Emails about the conference: per recipient, and per requesting network. */
  'conf-recipient': { max: 5, windowMinutes: 60 },
  'conf-address': { max: 30, windowMinutes: 60 },
  /** Refresh tokens of one connection exchanged for new ones. */
  'connection-refresh': { max: limits.connectionRefreshesPerDayMax, windowMinutes: 24 * 60 },
  /** Application registrations: per network, and in total, since each adds a row. */
  'application-address': { max: 60, windowMinutes: 60 },
  'application-all': { max: 1_000, windowMinutes: 60 },
  /** Application descriptions fetched from their sites; each sends a request and may add a row. */
  'description-account': { max: 60, windowMinutes: 60 },
  'description-address': { max: 120, windowMinutes: 60 },
  /** Searches and reads without an account: per network, and in total, since they are free. */
  'try-search-address': { max: 40, windowMinutes: 10 },
  'try-search-all': { max: 4_000, windowMinutes: 10 },
  /** Free previews of a read: per visitor network, and per account. */
  'cut-address': { max: 60, windowMinutes: 10 },
  'cut-account': { max: 240, windowMinutes: 10 },
  /** Free page views: per visitor network, and per account. */
  'view-address': { max: 600, windowMinutes: 10 },
  'view-account': { max: 1_200, windowMinutes: 10 },
  /** Free searches while typing, per account. */
  'draft-account': { max: 1_200, windowMinutes: 10 },
  /** Questions to the product's own documentation, which are sent while typing. */
  'product-docs-address': { max: 120, windowMinutes: 2 },
  /** Questions in the chat, which a language model may answer at the operator's cost. */
  'chat-visitor': { max: limits.chatVisitorQuestionsMax, windowMinutes: limits.chatVisitorMinutes },
  'chat-person': { max: limits.chatPersonQuestionsMax, windowMinutes: limits.chatVisitorMinutes },
  'chat-all-visitors': { max: limits.chatAllVisitorsQuestionsMax, windowMinutes: 60 },
} satisfies Record<string, RateRule>;
type RateRuleName = keyof typeof rules;

/** An attempt to count: the rule, and who it is counted for (an email address, a network address, or both). */
export type Attempt = [rule: RateRuleName, ...who: string[]];

/** Counts attempts, all or none, and throws `too-many-requests` if one exceeds its limit. */
export async function requireWithinLimits(ctx: Clocked, attempts: Attempt[]): Promise<void> {
  const retryAfterSeconds = await countAttempts(ctx, attempts);
  if (retryAfterSeconds !== undefined) throw new AppError('too-many-requests', { retryAfterSeconds });
}

/** Counts attempts of legitimate use; throws `rate-limited` if one of the limits is exceeded. */
export async function requireWithinRate(ctx: Clocked, attempts: Attempt[]): Promise<void> {
  const seconds = await countAttempts(ctx, attempts);
  if (seconds !== undefined) throw rateLimited(seconds);
}

/** Throws `rate-limited` if the caller, or the caller's network, exceeds its limit. */
export async function requireWithinOwnRate(
  ctx: Context,
  userId: string,
  rules: { account: RateRuleName; address: RateRuleName },
): Promise<void> {
  const ofNetwork: Attempt[] = ctx.address === undefined ? [] : [[rules.address, ctx.address]];
  await requireWithinRate(ctx, [[rules.account, userId], ...ofNetwork]);
}

/** Counts attempts and returns the seconds to wait, or undefined if all are within their limits. */
export async function countAttempts(ctx: Clocked, attempts: Attempt[]): Promise<number | undefined> {
  const now = ctx.clock.now();
  const spent = spentOf(ctx.db);
  const remembered = attempts.flatMap((attempt) => spent.endOf(bucketOf(attempt), now) ?? []);
  if (remembered.length > 0) return secondsUntil(Math.max(...remembered), now);
  const counted = await ctx.db.transaction((tx) => countAll(tx, now, attempts), { durability: 'process' });
  // The call that adds a row also cleans up, so that attempts with made-up names do not fill the table.
  if (counted.some(({ isFirst }) => isFirst)) await sweep(ctx, () => deleteEndedRateCounts(ctx.db.query, now));
  for (const { bucket, isOver, endsAt } of counted) if (isOver) spent.note(bucket, now, endsAt);
  return waitOf(counted, now);
}

/** Counts attempts in the caller's transaction: if it is rolled back, they do not count. */
export async function countAttemptsIn(tx: Transaction, now: number, attempts: Attempt[]): Promise<number | undefined> {
  return waitOf(await countAll(tx, now, attempts), now);
}

interface Counted {
  bucket: string;
  isOver: boolean;
  isFirst: boolean;
  endsAt: number;
}

async function countAll(tx: Transaction, now: number, attempts: Attempt[]): Promise<Counted[]> {
  const rows: Counted[] = [];
  for (const attempt of attempts) {
    const { max, windowMinutes } = rules[attempt[0]];
    const bucket = bucketOf(attempt);
    const { count, endsAt } = await countUp(tx, bucket, now, windowMinutes * 60_000);
    rows.push({ bucket, isOver: count > max, isFirst: count === 1, endsAt });
  }
  return rows;
}

function waitOf(counted: Counted[], now: number): number | undefined {
  const ends = counted.filter(({ isOver }) => isOver).map(({ endsAt }) => endsAt);
  return ends.length === 0 ? undefined : secondsUntil(Math.max(...ends), now);
}

const secondsUntil = (end: number, now: number) => Math.max(1, Math.ceil((end - now) / 1000));

/** Deletes expired rows; errors are only logged, since no call depends on it. */
export async function sweep(ctx: Pick<Context, 'log'>, work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) => ctx.log.warn({ err: error }, 'expired rows could not be deleted'));
}

/** Uncounts attempts that turned out to be legitimate. */
export async function takeBack(ctx: Clocked, attempts: Attempt[]): Promise<void> {
  for (const attempt of attempts) {
    await lowerRateCount(ctx.db.query, bucketOf(attempt));
    spentOf(ctx.db).forget(bucketOf(attempt));
  }
}

/** Resets a count; an attempt that names only an account covers all addresses it was counted with. */
export async function forgetAttempts(ctx: Clocked, attempt: Attempt): Promise<void> {
  await deleteRateCounts(ctx.db.query, bucketOf(attempt));
  spentOf(ctx.db).forget(bucketOf(attempt));
}

/** Users and addresses are hashed, so that the table does not reveal who tried to sign in. */
function bucketOf([rule, ...who]: Attempt): string {
  const parts = who.map((part) => createHash('sha256').update(networkOf(part)).digest('hex').slice(0, 32));
  return [rule, ...parts].join(':');
}

/**
 * Returns the network to count: an IPv6 address stands for its /64, which one owner controls; IPv4 addresses may be
 * written as IPv6.
 */
export function networkOf(text: string): string {
  if (!isIPv6(text)) return text;
  const embedded = /^::ffff:([\d.]+)$/i.exec(text)?.[1];
  if (embedded !== undefined) return embedded;
  const [head = '', tail] = (text.split('%')[0] ?? '').split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  const groups = [...before, ...zeros, ...after].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${groups.join(':')}::/64`;
}

/**
 * Writes the audit entry of a change that a user can repeat at will, such as a new name. Throws `rate-limited` after
 * too many per day, so that no one fills the log. Changes that end something or protect an account use `recordAudit`,
 * which never refuses: their number is limited by earlier creations.
 */
export async function recordChange(
  tx: Transaction,
  now: number,
  entry: AuditEntry & { actorUserId: string },
): Promise<void> {
  const seconds = await countAttemptsIn(tx, now, [['repeated-change', entry.actorUserId]]);
  if (seconds !== undefined) throw rateLimited(seconds);
  await recordAudit(tx, now, entry);
}
