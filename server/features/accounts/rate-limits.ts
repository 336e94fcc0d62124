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
  /** Attempts that are let through in one window. */
  max: number;
  windowMinutes: number;
}

/**
 * How often what may be tried. Windows begin with the first attempt and are not prolonged by refused ones, so no one is
 * kept out for good; the counts are rows, which all processes share and a restart keeps.
 */
const rules = {
  /** Wrong passwords for one account from one address. */
  'sign-in-pair': { max: 10, windowMinutes: 15 },
  /** Wrong passwords for one account, wherever they come from. */
  'sign-in-account': { max: 50, windowMinutes: 15 },
  'sign-in-address': { max: 50, windowMinutes: 15 },
  /** Wrong passwords for one account from a browser that its person signed in with before; no one else uses these up. */
  'sign-in-device': { max: 10, windowMinutes: 15 },
  'sign-up-address': { max: 30, windowMinutes: 60 },
  /** Mails to one recipient, each purpose for itself. */
  'reset-account': { max: 5, windowMinutes: 60 },
  'reset-address': { max: 30, windowMinutes: 60 },
  'verification-account': { max: 5, windowMinutes: 60 },
  'verification-address': { max: 30, windowMinutes: 60 },
  'notice-account': { max: 1, windowMinutes: 60 },
  /** Wrong codes of links in mails. */
  'code-address': { max: 10, windowMinutes: 15 },
  /** Wrong tokens of invite links. */
  'invite-token-address': { max: 30, windowMinutes: 15 },
  'invite-token-account': { max: 30, windowMinutes: 15 },
  /** Mails with invites: of one team, of one person, and to one recipient from whomever. */
  'invite-team': { max: 200, windowMinutes: 60 },
  'invite-account': { max: 200, windowMinutes: 60 },
  'invite-recipient': { max: 20, windowMinutes: 60 },
  'invite-address': { max: 300, windowMinutes: 60 },
  /** The same, of one person whose account and team pay nothing where others do. */
  'invite-free': { max: limits.freeInvitesPerDayMax, windowMinutes: 24 * 60 },
  /** Promotion codes that are tried, right or wrong. */
  'promotion-account': { max: limits.promotionTriesPerHourMax, windowMinutes: 60 },
  'promotion-address': { max: 2 * limits.promotionTriesPerHourMax, windowMinutes: 60 },
  /** Changes that can be repeated at will, each of which leaves an entry in the audit log. */
  'repeated-change': { max: limits.repeatedChangesPerDayMax, windowMinutes: 24 * 60 },
  /** Calls that cost nothing: more of them are let through, and only counted. */
  'free-call': { max: limits.freeReceiptsPerDayMax, windowMinutes: 24 * 60 },
  /** API keys that are made. */
  'key-account': { max: limits.keysMadePerHourMax, windowMinutes: 60 },
  'key-address': { max: 2 * limits.keysMadePerHourMax, windowMinutes: 60 },
  /** MCP sessions that are opened, each of which leaves a row. */
  'mcp-session-account': { max: limits.mcpSessionsPerHourMax, windowMinutes: 60 },
  'mcp-session-address': { max: 2 * limits.mcpSessionsPerHourMax, windowMinutes: 60 },
  /** Sessions of one user that are kept, whichever way they began: more of them are answered, and not remembered. */
  'agent-session': { max: 24 * limits.mcpSessionsPerHourMax, windowMinutes: 24 * 60 },
  /** Wrong current passwords of someone signed in. */
  'confirm-account': { max: 10, windowMinutes: 15 },
  /** A state of a social sign-in is good once; it is refused by its age after this time. */
  'social-state': { max: 1, windowMinutes: 15 },
  /** Sign-ins begun at the providers of teams, each of which asks that provider for its description. */
  'sign-on-address': { max: 60, windowMinutes: 15 },
  /** The same, and look-ups of records, by someone who sets it up. */
  'sign-on-account': { max: 60, windowMinutes: 15 },
  /** Accounts that a team's provider makes: for one team, and for one network, whichever the team. */
  'sign-on-made-team': { max: limits.signOnAccountsPerDayMax, windowMinutes: 24 * 60 },
  'sign-on-made-address': { max: limits.signOnAccountsPerDayMax, windowMinutes: 24 * 60 },
  /** Connections to a code host that someone begins, each of which leaves a row. */
  'hosting-connect': { max: 30, windowMinutes: 15 },
  /** Mails about the conference: to one recipient, and asked for from one network. */
  'conf-recipient': { max: 5, windowMinutes: 60 },
  'conf-address': { max: 30, windowMinutes: 60 },
  /** Applications that register: from one network, and in all, since each leaves a row. */
  'application-address': { max: 60, windowMinutes: 60 },
  'application-all': { max: 1_000, windowMinutes: 60 },
  /** Descriptions of applications that are read from their sites, each of which asks a site and may leave a row. */
  'description-account': { max: 60, windowMinutes: 60 },
  'description-address': { max: 120, windowMinutes: 60 },
  /** Searches and reads without an account: from one network, and in all, since no one pays for them. */
  'try-search-address': { max: 40, windowMinutes: 10 },
  'try-search-all': { max: 4_000, windowMinutes: 10 },
  /** What a read would send of a page, which costs nothing: by visitors of one network, and by one account. */
  'cut-address': { max: 60, windowMinutes: 10 },
  'cut-account': { max: 240, windowMinutes: 10 },
  /** Pages as the viewer shows them, which cost nothing: to visitors of one network, and to one account. */
  'view-address': { max: 600, windowMinutes: 10 },
  'view-account': { max: 1_200, windowMinutes: 10 },
  /** Searches that are still being typed, which cost nothing, by one account. */
  'draft-account': { max: 1_200, windowMinutes: 10 },
  /** Questions to the product's own documentation, which are asked while they are typed. */
  'product-docs-address': { max: 120, windowMinutes: 2 },
  /** Questions asked of the documentation, which a language model may answer at the operator's cost. */
  'chat-visitor': { max: limits.chatVisitorQuestionsMax, windowMinutes: limits.chatVisitorMinutes },
  'chat-person': { max: limits.chatPersonQuestionsMax, windowMinutes: limits.chatVisitorMinutes },
  'chat-all-visitors': { max: limits.chatAllVisitorsQuestionsMax, windowMinutes: 60 },
} satisfies Record<string, RateRule>;
type RateRuleName = keyof typeof rules;

/** One thing to count: which rule, and for whom (an e-mail address, a network address, or both). */
export type Attempt = [rule: RateRuleName, ...who: string[]];

/** Counts attempts, all or none of them written, and refuses with `too-many-requests` when one is over its limit. */
export async function requireWithinLimits(ctx: Clocked, attempts: Attempt[]): Promise<void> {
  const retryAfterSeconds = await countAttempts(ctx, attempts);
  if (retryAfterSeconds !== undefined) throw new AppError('too-many-requests', { retryAfterSeconds });
}

/** The same for what no one did wrong: refuses with `rate-limited`. */
export async function requireWithinRate(ctx: Clocked, attempts: Attempt[]): Promise<void> {
  const seconds = await countAttempts(ctx, attempts);
  if (seconds !== undefined) throw rateLimited(seconds);
}

/** Refuses (`rate-limited`) what the acting person did too often, or the network that they come from. */
export async function requireWithinOwnRate(
  ctx: Context,
  userId: string,
  rules: { account: RateRuleName; address: RateRuleName },
): Promise<void> {
  const ofNetwork: Attempt[] = ctx.address === undefined ? [] : [[rules.address, ctx.address]];
  await requireWithinRate(ctx, [[rules.account, userId], ...ofNetwork]);
}

/** The same, as an answer: seconds to wait, or undefined when all are within their limits. */
export async function countAttempts(ctx: Clocked, attempts: Attempt[]): Promise<number | undefined> {
  const now = ctx.clock.now();
  const spent = spentOf(ctx.db);
  const remembered = attempts.flatMap((attempt) => spent.endOf(bucketOf(attempt), now) ?? []);
  if (remembered.length > 0) return secondsUntil(Math.max(...remembered), now);
  const counted = await ctx.db.transaction((tx) => countAll(tx, now, attempts), { durability: 'process' });
  // The writer of rows cleans up, so that attempts with made-up names do not fill the table.
  if (counted.some(({ isFirst }) => isFirst)) await sweep(ctx, () => deleteEndedRateCounts(ctx.db.query, now));
  for (const { bucket, isOver, endsAt } of counted) if (isOver) spent.note(bucket, now, endsAt);
  return waitOf(counted, now);
}

/** The same in the caller's transaction: attempts that it rolls back are not counted. */
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

/** Deletes what is over; a fault is logged, since no one's call depends on it. */
export async function sweep(ctx: Pick<Context, 'log'>, work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) => ctx.log.warn({ err: error }, 'what has expired could not be deleted'));
}

/** Takes attempts back that turned out to be right. */
export async function takeBack(ctx: Clocked, attempts: Attempt[]): Promise<void> {
  for (const attempt of attempts) {
    await lowerRateCount(ctx.db.query, bucketOf(attempt));
    spentOf(ctx.db).forget(bucketOf(attempt));
  }
}

/** Forgets what was counted; an attempt named by a person alone stands for all addresses it came from. */
export async function forgetAttempts(ctx: Clocked, attempt: Attempt): Promise<void> {
  await deleteRateCounts(ctx.db.query, bucketOf(attempt));
  spentOf(ctx.db).forget(bucketOf(attempt));
}

/** People and addresses are counted under a hash: the table shall not say who tried to sign in. */
function bucketOf([rule, ...who]: Attempt): string {
  const parts = who.map((part) => createHash('sha256').update(networkOf(part)).digest('hex').slice(0, 32));
  return [rule, ...parts].join(':');
}

/** The owner of one IPv6 address also has the 2^64 beside it; an IPv4 address may be written as an IPv6 one. */
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
 * Writes the audit row of a change that the acting person can repeat at will, such as a new name. Refuses (`rate-limited`) the change
 * after too many in a day, so that no one fills the log. What ends something or protects an account uses `recordAudit`: it is never
 * refused, and there is no more of it than of what began before.
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
