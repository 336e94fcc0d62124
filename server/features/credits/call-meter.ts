import { randomUUID } from 'node:crypto';
import { upgradePath } from '#contract/credits.ts';
import { maskApiKeysIn } from '#contract/keys.ts';
import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import { type Context, credentialOf } from '#server/context.ts';
import { countAttemptsIn } from '#server/features/accounts/index.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { isWritten } from '../known-fault.ts';
import { type Balance, readBalance, tellRenewal } from './credit-info.ts';
import {
  type CallIdentity,
  callIdentity,
  type DebitOutcome,
  debit,
  deletedAccount,
  findEarlierCharge,
} from './debit.ts';
import { findPayer, type Payer } from './payer.ts';
import { findCreditAccount, insertReceipt, lockCreditAccount } from './store.ts';

/** A search or read to meter. */
export interface MeteredCall {
  tool: 'search' | 'read';
  /** As the caller passed them. */
  args: Record<string, unknown>;
  /** The calling program's name for itself; empty for a browser. */
  clientName: string;
}

/** The result of a call. Tokens are o200k_base. */
export interface CallReceipt {
  /** False if nothing new was found or read, which is free. */
  hasContent: boolean;
  tokens: number;
  wholePageTokens: number;
  withheldTokens: number;
  /** Addresses of the pages in the answer. */
  pageUrls?: readonly string[];
  /** The agent's conversation. */
  sessionId?: string | undefined;
}

/** Admits calls, then records and charges them. */
export interface CallMeter {
  /**
   * Called before the work: throws `credits-exhausted` if the payer has too few credits, unless this call was already
   * paid for. Returns whether the caller pays at all: visitors and the operator do not.
   */
  admit(ctx: Context, call: MeteredCall): Promise<{ isCharged: boolean }>;
  /**
   * Writes the receipt and the debit in one transaction, after the work and before the response is sent. Refuses
   * (`credits-exhausted`, nothing written) if other calls have used up the credits. On a full disk, a free call gets no
   * receipt and is not refused. Returns the credits charged, and `isKept`: false if the call was only counted and must
   * leave no other row.
   */
  settle(ctx: Context, call: MeteredCall, receipt: CallReceipt): Promise<{ credits: number; isKept: boolean }>;
}

/** Pages of an answer stored for the activity screen. */
const pagesKept = 5;
const prices = { search: limits.searchCredits, read: limits.readCredits };

/** Creates the meter of the installation at `publicUrl`. With `isFree` calls are recorded without charge. */
export function createCallMeter(deps: { publicUrl: string; isFree?: boolean }): CallMeter {
  return {
    async admit(ctx, call) {
      if (ctx.actor.kind === 'anonymous') return { isCharged: false };
      const { userId } = ctx.actor;
      const account = await findCreditAccount(ctx.db.query, userId);
      if (account === undefined) throw new AppError('unauthenticated');
      if (account.isOperator === 1 || deps.isFree === true) return { isCharged: false };
      const now = ctx.clock.now();
      const payer = await findPayer(ctx.db.query, ctx, account);
      const balance = await readBalance(ctx.db.query, payer.account);
      if (balance.info.totalCreditsAvailable >= prices[call.tool]) return { isCharged: true };
      const earlier = await findEarlierCharge(ctx.db.query, userId, callIdentity(ctx, call), now);
      if (earlier === undefined) throw await refusalOf(ctx, balance, payer, deps.publicUrl);
      return { isCharged: true };
    },
    async settle(ctx, call, receipt) {
      if (ctx.actor.kind === 'anonymous') return { credits: 0, isKept: true };
      const { userId } = ctx.actor;
      const price = deps.isFree === true ? 0 : prices[call.tool];
      const recorded = record(ctx, userId, { ...call, price }, receipt, callIdentity(ctx, call));
      if (price === 0 && !(await isWritten(ctx, recorded))) return { credits: 0, isKept: true };
      const outcome = await recorded;
      if ('credits' in outcome) return outcome;
      throw await refusalOf(ctx, outcome.balance, outcome.payer, deps.publicUrl);
    },
  };
}

/** The payer of a deleted account, which has no team. */
const nobody = { team: undefined, isPool: false };

async function refusalOf(
  ctx: Context,
  balance: Balance,
  payer: Payer | undefined,
  publicUrl: string,
): Promise<AppError> {
  if (payer === undefined) return creditsExhausted(balance, nobody, publicUrl);
  return creditsExhausted(await tellRenewal(ctx.db.query, payer.account, balance), payer, publicUrl);
}

/** Returns the charge, or the payer whose balance is too low for the call. */
async function record(
  ctx: Context,
  userId: string,
  call: MeteredCall & { price: number },
  receipt: CallReceipt,
  identity: CallIdentity,
): Promise<Extract<DebitOutcome, { isPaid: false }> | { credits: number; isKept: boolean }> {
  const teamId = ctx.membership?.teamId ?? null;
  const at = ctx.clock.now();
  const settle = async (tx: Transaction) => {
    // Free calls are limited, because no price keeps the caller from filling the disk.
    const isOneTooMany = async () => (await countAttemptsIn(tx, at, [['free-call', userId]])) !== undefined;
    let isKept = call.price > 0 || !(await isOneTooMany());
    let credits = 0;
    let isRetry = false;
    if (receipt.hasContent && isKept) {
      const outcome = await debit(tx, ctx, userId, {
        amount: call.price,
        identity,
        details: detailsOf(call),
        metadata: {
          args: shownArgs(call),
          tokens: receipt.tokens,
          ...(receipt.pageUrls && { pages: receipt.pageUrls.slice(0, pagesKept).map(maskApiKeysIn) }),
          ...keyNameOf(ctx),
        },
      });
      if (!outcome.isPaid) return outcome;
      isRetry = outcome.isRetry;
      credits = isRetry ? 0 : outcome.fromAllowance + outcome.fromBalance;
    } else if ((await lockCreditAccount(tx, userId)) === undefined) {
      return deletedAccount;
    }
    const { tokens, withheldTokens } = receipt;
    // A retry is not another lookup: its sent tokens count, but the whole pages were counted the first time.
    const wholePageTokens = isRetry ? 0 : receipt.wholePageTokens;
    const row = {
      id: randomUUID(),
      userId,
      teamId,
      keyId: credentialOf(ctx.actor)?.id ?? null,
      sessionId: receipt.sessionId ?? null,
      tool: call.tool,
      at,
      ...{ credits, tokens, wholePageTokens, withheldTokens },
    };
    if (call.price > 0 && credits === 0) isKept = !(await isOneTooMany());
    await insertReceipt(tx, row, !isKept);
    announceChange(tx, { collection: 'creditTransactions', audience: `user:${userId}` });
    if (teamId !== null) announceChange(tx, { collection: 'creditTransactions', audience: `team:${teamId}` });
    return { credits, isKept };
  };
  // Do not wait for the disk: a power failure may return the credits of the last moment.
  return ctx.db.transaction(settle, { durability: 'process' });
}

function detailsOf({ tool }: MeteredCall): string {
  return tool === 'search' ? 'Documentation search' : 'Page read';
}

/** Returns the arguments for the activity screen, with pasted API keys masked. */
function shownArgs({ args }: MeteredCall): MeteredCall['args'] {
  return JSON.parse(maskApiKeysIn(JSON.stringify(args))) as MeteredCall['args'];
}

function keyNameOf({ actor }: Context): { apiKeyName?: string } {
  const name = credentialOf(actor)?.name;
  return name === undefined ? {} : { apiKeyName: name };
}

const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Creates `credits-exhausted`, with the payer, the renewal date and how to get more credits. */
function creditsExhausted({ info, end }: Balance, payer: Pick<Payer, 'team' | 'isPool'>, publicUrl: string): AppError {
  const renewal =
    end === 'unpaid'
      ? `The last payment for the ${info.tier} plan failed, so its monthly allowance does not renew.`
      : end === 'cancelled'
        ? `The ${info.tier} plan was cancelled, so its monthly allowance does not renew.`
        : info.renewsAt === null
          ? `The ${info.tier} plan has no monthly allowance.`
          : `The monthly allowance renews on ${date.format(info.renewsAt)}.`;
  return new AppError('credits-exhausted', {
    values: { balance: info.totalCreditsAvailable, renewal, ...remedyOf(payer, publicUrl) },
  });
}

function remedyOf(
  { team, isPool }: Pick<Payer, 'team' | 'isPool'>,
  publicUrl: string,
): { whose: string; remedy: string } {
  if (team === undefined) return { whose: '', remedy: `Get more at ${publicUrl}${upgradePath}.` };
  const query = `?teamId=${encodeURIComponent(team.id)}`;
  if (isPool) {
    return {
      whose: ` in the pool of ${team.name}`,
      remedy: `A team admin can add seats or buy credits at ${publicUrl}/upgrade-team${query}.`,
    };
  }
  return {
    whose: ` on your own account, which pays for your calls in ${team.name} because you have no paid seat there`,
    remedy: `A team admin can assign you a seat at ${publicUrl}/team-manage-seats${query}, or you can get credits at ${publicUrl}${upgradePath}.`,
  };
}
