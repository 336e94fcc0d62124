import { domainToASCII } from 'node:url';
import * as limits from '#contract/limits.ts';
import { formatDay } from '#contract/quantities.ts';
import type { SignOn } from '#contract/sign-on.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import {
  actingUser,
  hasIgnorable,
  requireOperatorAccount,
  requirePerson,
  requireWithinLimits,
} from '#server/features/accounts/index.ts';
import { changeTeam, enterTeamAs, listHolders } from '#server/features/teams/index.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { isDatabaseError } from '#server/platform/db/database-error.ts';
import type { Letter } from '#server/platform/mail/letter.ts';
import type { SignOnDependencies } from './dependencies.ts';
import { changeProof, findProvedSignOn, findSignOnOfTeam, listProofsToCheck, type SignOnRow } from './store.ts';

const hourMs = 3_600_000;
const graceMs = limits.signOnGraceDays * 24 * hourMs;

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const shape = new RegExp(`^(?=.{1,253}$)(?:${label}\\.)+(?!\\d+$)${label}$`);

/** Returns the form of a domain that is stored and compared: ASCII (RFC 5891), lower case. Throws if it is invalid. */
export function normalizeDomain(text: string): string {
  const domain = domainToASCII(text.trim().replace(/^@/, '').replace(/\.$/, ''));
  if (!shape.test(domain) || hasIgnorable(text))
    throw new AppError('domain-invalid', { values: { domain: text.slice(0, 100) } });
  return domain;
}

/** Returns the domain of a stored address; undefined for one that no team can prove. */
export function domainOf(email: string): string | undefined {
  const domain = domainToASCII(email.slice(email.lastIndexOf('@') + 1));
  return shape.test(domain) ? domain : undefined;
}

/**
 * Returns the record that proves a domain. It has a separate name, so that the domain's other records are not affected.
 */
function recordOf({ domain, domainToken }: Pick<SignOnRow, 'domain' | 'domainToken'>): SignOn['record'] {
  return { name: `_lectern.${domain}`, value: `lectern-domain=${domainToken}` };
}

export function presentSignOn(row: SignOnRow): SignOn {
  const { domain, verifiedAt, missingSince, issuer, clientId, defaultRole, updatedAt } = row;
  const isVouchedFor = row.isVouchedFor === 1;
  const proof = { record: recordOf(row), verifiedAt, missingSince, isVouchedFor };
  return { domain, ...proof, issuer, clientId, defaultRole, updatedAt };
}

/**
 * Enters the team for a call that makes this server contact others: providers for their metadata, name servers for a
 * record. Rate-limited.
 */
export async function enterToAsk(ctx: Context, teamId: string): Promise<void> {
  await enterTeamAs(ctx, teamId, 'sso.manage');
  await requireWithinLimits(ctx, [['sign-on-account', requirePerson(ctx)]]);
}

export function entryOf(teamId: string, actorUserId: string | null) {
  return { actorUserId, entityId: teamId, teamId };
}

/**
 * Checks for the record that proves the domain. Throws if it is missing, or if the domain's record still names another
 * team, which then keeps it. An operator can vouch for a domain, with or without a record, but only for the domain and
 * provider that they name, since others may change the settings meanwhile.
 */
export async function verifySignOnDomain(
  ctx: Context,
  { teamId, vouchFor }: { teamId: string; vouchFor?: { domain: string; issuer: string } | undefined },
  deps: SignOnDependencies,
): Promise<SignOn> {
  await enterToAsk(ctx, teamId);
  const row = await findSignOnOfTeam(ctx.db.query, teamId);
  if (row === undefined) throw new AppError('sign-on-not-found');
  const { domainToken } = row;
  const isVouchedFor = vouchFor !== undefined;
  const isProved = row.verifiedAt !== null && row.missingSince === null;
  if (isProved && (!isVouchedFor || row.isVouchedFor === 1)) return presentSignOn(row);
  if (isVouchedFor && (await actingUser(ctx))?.isOperator !== 1) {
    throw new AppError('permission-denied', { values: { need: ' Only the operator can vouch for a domain.' } });
  }
  if (isVouchedFor && (vouchFor.domain !== row.domain || vouchFor.issuer !== row.issuer)) throw notProved(row);
  const records = isVouchedFor ? undefined : await requireRecord(row, deps);
  const { proved, loser } = await changeTeam(ctx, teamId, 'sso.manage', async ({ tx, now, membership }) => {
    const other = await findProvedSignOn(tx, row.domain);
    const loser = other?.teamId === teamId ? undefined : other;
    if (loser !== undefined) {
      if (records === undefined || loser.isVouchedFor === 1 || isAmong(records, loser)) throw domainTaken(row.domain);
      await endProof(tx, loser, now);
    }
    const current = await findSignOnOfTeam(tx, teamId);
    const proof = {
      ...{ verifiedAt: now, missingSince: null, updatedAt: now },
      // A record that was found is checked again later; one that was never found is not required.
      checkedAt: isVouchedFor ? (isProved ? (current?.checkedAt ?? now) : null) : now,
      isVouchedFor: isVouchedFor ? 1 : (current?.isVouchedFor ?? 0),
    };
    const proved = current && (await changeProof(tx, { ...current, domainToken }, proof));
    if (proved === undefined) throw notProved(row);
    const detail = { domain: row.domain, by: isVouchedFor ? 'operator' : 'record' };
    await recordAudit(tx, now, { ...entryOf(teamId, membership.userId), action: 'sign-on.prove', detail });
    return { proved, loser };
  }).catch((error: unknown) => {
    // If two teams do so concurrently, the unique index lets one succeed.
    if (isDatabaseError(error, 'unique-violation')) throw domainTaken(row.domain);
    throw error;
  });
  if (loser !== undefined) {
    tellAdmins(ctx, loser, endLetter(loser, 'Another team has proved that it owns the domain.'), deps);
  }
  return presentSignOn(proved);
}

/**
 * Withdraws an operator's vouching: a record that was found becomes the proof, else the proof ends. Returns whether
 * there was one.
 */
export async function withdrawDomain(
  ctx: Context,
  { domain }: { domain: string },
  deps: SignOnDependencies,
): Promise<boolean> {
  const actorUserId = await requireOperatorAccount(ctx);
  const now = ctx.clock.now();
  const withdrawn = await ctx.db.transaction(async (tx) => {
    const row = await findProvedSignOn(tx, normalizeDomain(domain));
    if (row?.isVouchedFor !== 1) return undefined;
    if (row.checkedAt === null) return endProof(tx, row, now, actorUserId);
    const detail = { domain: row.domain, by: 'record' };
    await recordAudit(tx, now, { ...entryOf(row.teamId, actorUserId), action: 'sign-on.prove', detail });
    return changeProof(tx, row, { isVouchedFor: 0, updatedAt: now });
  });
  if (withdrawn === undefined) return false;
  if (withdrawn.verifiedAt === null)
    tellAdmins(
      ctx,
      withdrawn,
      endLetter(withdrawn, 'The operator of this installation no longer vouches for it.'),
      deps,
    );
  return true;
}

async function requireRecord(row: SignOnRow, { resolveTxt }: SignOnDependencies): Promise<string[]> {
  const { name } = recordOf(row);
  const records = await resolveTxt(name).catch((cause: unknown) => {
    throw new AppError('name-servers-unreachable', { values: { name }, cause });
  });
  if (!isAmong(records, row)) throw notProved(row);
  return records;
}

function isAmong(records: string[], row: SignOnRow): boolean {
  return records.some((record) => record.trim() === recordOf(row).value);
}

function notProved(row: SignOnRow): AppError {
  return new AppError('domain-not-proved', { values: recordOf(row) });
}

function domainTaken(domain: string): AppError {
  return new AppError('domain-taken', { values: { domain } });
}

/**
 * Checks daily whether the records of proved domains still exist. A missing one is reported to the team's admins, and
 * ends the proof if it is still missing after the grace period. Name servers that don't respond prove nothing: they are
 * retried in an hour.
 */
export async function checkProofs(ctx: Context, deps: SignOnDependencies, signal?: AbortSignal): Promise<void> {
  for (const row of await listProofsToCheck(ctx.db.query, ctx.clock.now(), limits.signOnCheckHours * hourMs)) {
    if (signal?.aborted === true) return;
    const records = await deps.resolveTxt(recordOf(row).name).catch((error: unknown) => {
      ctx.log.warn({ err: error, domain: row.domain }, 'no response for the record of a domain');
    });
    if (records !== undefined) await noteRecord(ctx, row, isAmong(records, row), deps);
  }
}

async function noteRecord(ctx: Context, row: SignOnRow, isThere: boolean, deps: SignOnDependencies): Promise<void> {
  const now = ctx.clock.now();
  const missingSince = isThere ? null : (row.missingSince ?? now);
  const isOver = missingSince !== null && now - missingSince >= graceMs;
  const noted = await ctx.db.transaction(async (tx) =>
    isOver ? endProof(tx, row, now) : changeProof(tx, row, { checkedAt: now, missingSince }),
  );
  if (noted === undefined) return;
  if (isOver)
    tellAdmins(ctx, row, endLetter(row, `Its record has been missing for ${limits.signOnGraceDays} days.`), deps);
  else if (missingSince !== null && row.missingSince === null) tellAdmins(ctx, row, missingLetter(noted, now), deps);
}

/** Ends a proof; undefined if another process or an admin did so first. */
async function endProof(
  tx: Transaction,
  row: SignOnRow,
  now: number,
  actorUserId: string | null = null,
): Promise<SignOnRow | undefined> {
  const missingSince = row.missingSince ?? now;
  const change = { verifiedAt: null, checkedAt: now, missingSince, isVouchedFor: 0, updatedAt: now };
  const ended = await changeProof(tx, row, change);
  if (ended === undefined) return undefined;
  const detail = { domain: row.domain };
  await recordAudit(tx, now, { ...entryOf(row.teamId, actorUserId), action: 'sign-on.lapse', detail });
  return ended;
}

function missingLetter(row: SignOnRow, now: number): Letter {
  const { name, value } = recordOf(row);
  const end = formatDay(now + graceMs);
  return {
    subject: `Single sign-on for ${row.domain} is about to end`,
    paragraphs: [
      `The TXT record that proves that your team owns ${row.domain} is missing. If you don't restore it by ${end}, no one can sign in with your provider.`,
      `Record name: ${name}`,
      `Record value: ${value}`,
    ],
  };
}

function endLetter({ domain }: SignOnRow, reason: string): Letter {
  return {
    subject: `Single sign-on for ${domain} has ended`,
    paragraphs: [
      `Your team no longer proves that it owns ${domain}. ${reason} No one can sign in with your provider now.`,
      'Members stay in the team, and sign in with a password, GitHub or Google.',
    ],
  };
}

function tellAdmins(
  ctx: Context,
  { teamId }: SignOnRow,
  letter: Letter,
  { letters, social }: SignOnDependencies,
): void {
  const url = `${social.publicUrl}/team?tab=settings&teamId=${teamId}`;
  social.background.run('the mail about a proof of a domain', async () => {
    for (const to of await listHolders(ctx.db.query, teamId, ['admin'])) {
      await letters(to, { ...letter, action: { label: "Open the team's settings", url } });
    }
  });
}
