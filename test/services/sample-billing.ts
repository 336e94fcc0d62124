import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { TeamRole } from '#contract/teams.ts';
import type { Context } from '#server/context.ts';
import type { BillingDependencies } from '#server/features/billing/dependencies.ts';
import {
  openCreditCheckout,
  openPortal,
  openSubscriptionCheckout,
  payTestCheckout,
} from '#server/features/billing/index.ts';
import { actInTestPortal, type PortalAct } from '#server/features/billing/test-pages.ts';
import type { Database } from '#server/platform/db/database.ts';
import { createOutbound } from '#server/platform/outbound/index.ts';
import { openPayments, type PaymentsConfig } from '#server/platform/payments/open-payments.ts';
import type { Payer } from '#server/platform/payments/payment-provider.ts';
import { createSettableClock, type SettableClock } from '#test/services/settable-clock.ts';
import { type DatabaseKind, freshDatabase } from './database.ts';
import { silentLog } from './log.ts';
import { userRow } from './rows.ts';
import { sampleTeam } from './sample-team.ts';

export const start = Date.UTC(2026, 0, 10, 12);

/** Test support: billing in its test mode, with its own database. */
export interface BillingSample {
  db: Database;
  clock: SettableClock;
  deps: BillingDependencies;
  /** Returns a new request's context for a user, whose account is created on first use. */
  as(userId: string): Context;
  person(userId: string, credits?: number): Promise<Context>;
  team(members: Record<string, TeamRole>): Promise<string>;
  /** Subscribes and pays. */
  subscribe(ctx: Context, input: { teamId?: string; tier?: 'Basic' | 'Pro'; seats?: number }): Promise<void>;
  buyCredits(ctx: Context, input: { teamId?: string; packs?: number }): Promise<void>;
  act(ctx: Context, act: PortalAct, teamId?: string): ReturnType<typeof actInTestPortal>;
  /** Returns the balance, and the sum of the ledger rows outside the allowance, which must be equal. */
  balances(payer: Payer): Promise<{ balance: number; ledger: number }>;
  ledger(payer: Payer): Promise<{ amount: number; source: string; isFromMonthlyAllowance: number; details: string }[]>;
}

/** Returns the last segment of a page's address. */
export const pageId = (url: string) => url.slice(url.lastIndexOf('/') + 1);

export async function openBillingSample(
  kind: DatabaseKind = 'sqlite',
  config: PaymentsConfig = {
    kind: 'test',
    promotions: [{ code: 'HALF', percentOff: 50, amountOffCents: null }],
  },
  allowHosts: string[] = [],
): Promise<BillingSample> {
  const db = await freshDatabase(kind);
  const clock = createSettableClock(start);
  const outbound = createOutbound({ allowHosts, userAgent: 'test' });
  onTestFinished(() => outbound.close());
  const payments = openPayments(config, { db, clock, outbound, publicUrl: 'http://x', secret: 'whsec_sample' });
  const deps: BillingDependencies = { payments, publicUrl: 'http://x', eventAnswerMs: 30_000 };
  const as = (userId: string): Context => ({
    ...{ db, clock, log: silentLog, requestId: randomUUID() },
    actor: { kind: 'user', userId },
    workspace: `user:${userId}`,
  });
  const tableOf = (payer: Payer) => (payer.startsWith('user:') ? 'users' : 'teams') as 'users';
  return {
    ...{ db, clock, deps, as },
    async person(userId, credits = 0) {
      await db.query
        .insertInto('users')
        .values(userRow({ id: userId, credits: 0, emailVerifiedAt: 0 }))
        .execute();
      if (credits > 0) await giveCredits(db, userId, credits);
      return as(userId);
    },
    team: (members) => sampleTeam(db, { members }),
    async subscribe(ctx, { teamId, tier = 'Basic', seats = 1 }) {
      const input = { tier, seats, ...(teamId === undefined ? {} : { teamId }) };
      const { url } = await openSubscriptionCheckout({ ...ctx, requestId: randomUUID() }, input, deps);
      await payTestCheckout(ctx, { checkoutId: pageId(url) }, deps);
    },
    async buyCredits(ctx, { teamId, packs = 1 }) {
      const input = { packs, ...(teamId === undefined ? {} : { teamId }) };
      const { url } = await openCreditCheckout({ ...ctx, requestId: randomUUID() }, input, deps);
      await payTestCheckout(ctx, { checkoutId: pageId(url) }, deps);
    },
    async act(ctx, act, teamId) {
      const { url } = await openPortal(ctx, teamId === undefined ? {} : { teamId }, deps);
      return actInTestPortal(ctx, { portalId: pageId(url), act }, deps);
    },
    async balances(payer) {
      const { credits } = await db.query
        .selectFrom(tableOf(payer))
        .select('credits')
        .where('id', '=', payer.slice(5))
        .executeTakeFirstOrThrow();
      const rows = await ledgerOf(db, payer);
      const own = rows.filter((row) => row.isFromMonthlyAllowance === 0);
      return { balance: credits, ledger: own.reduce((sum, { amount }) => sum + amount, 0) };
    },
    ledger: (payer) => ledgerOf(db, payer),
  };
}

async function ledgerOf(db: Database, payer: Payer) {
  const column = payer.startsWith('user:') ? 'userId' : 'teamId';
  let query = db.query
    .selectFrom('creditTransactions')
    .select(['amount', 'source', 'isFromMonthlyAllowance', 'details'])
    .where(column, '=', payer.slice(5));
  if (column === 'userId') query = query.where('teamId', 'is', null);
  return query.orderBy('timestamp').orderBy('id').execute();
}

async function giveCredits(db: Database, userId: string, amount: number): Promise<void> {
  await db.query.updateTable('users').set({ credits: amount }).where('id', '=', userId).execute();
  await db.query
    .insertInto('creditTransactions')
    .values({
      id: `initial:${userId}`,
      requestId: `initial:${userId}`,
      userId,
      amount,
      source: 'initial',
      timestamp: 0,
    })
    .execute();
}
