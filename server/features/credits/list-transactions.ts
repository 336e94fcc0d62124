import type { CreditTransaction } from '#contract/credits.ts';
import * as limits from '#contract/limits.ts';
import type { Context } from '#server/context.ts';
import { requirePerson } from '#server/features/accounts/index.ts';
import { toCsv } from '#server/platform/csv.ts';
import { rowPages } from '#server/platform/db/row-pages.ts';
import type { Row } from '#server/platform/db/schema.ts';
import { storedJson } from '#server/platform/db/stored-json.ts';
import { fileOf } from '../export-file.ts';
import { listTransactionRows, listTransactionRowsOfPerson, type TransactionFilters } from './store.ts';
import { requireLedgerScope } from './usage.ts';

/**
 * Returns the caller's transactions, newest first; in a team those of their own calls there, or everyone's for an
 * admin. Agents' keys cannot read their owner's history.
 */
export async function listTransactions(
  ctx: Context,
  input: TransactionFilters & { limit: number },
): Promise<CreditTransaction[]> {
  const rows = await listTransactionRows(ctx.db.query, requireLedgerScope(ctx), input, input.limit);
  return rows.map(present);
}

/** Returns the newest transactions that name the acting person, their own and those of teams, in pages. */
export function listTransactionsOfPerson(ctx: Context): AsyncIterable<CreditTransaction[]> {
  const userId = requirePerson(ctx);
  return rowPages(
    limits.personalDataRowsMax,
    async (...page) => (await listTransactionRowsOfPerson(ctx.db.query, userId, ...page)).map(present),
    ({ timestamp }) => timestamp,
  );
}

/**
 * Returns the same rows as CSV with a header line, at most the newest 10,000; times are ISO 8601 in UTC. In a team with
 * the members' names.
 */
export async function exportTransactions(ctx: Context, input: TransactionFilters): Promise<AsyncIterable<Uint8Array>> {
  const scope = requireLedgerScope(ctx);
  const pages = rowPages(
    limits.creditTransactionsExportMax,
    (before, rowsMax) => listTransactionRows(ctx.db.query, scope, input, rowsMax, before),
    ({ timestamp }) => timestamp,
  );
  return fileOf(ctx, csvOf(pages, ctx.membership !== undefined));
}

async function* csvOf(pages: AsyncIterable<Row<'creditTransactions'>[]>, isOfTeam: boolean): AsyncGenerator<string> {
  yield toCsv([
    [
      ...['id', 'timestamp', 'source', 'amount', 'from_monthly_allowance', 'details', 'api_key', 'arguments'],
      ...(isOfTeam ? ['member', 'member_email', 'member_account_amount'] : []),
    ],
  ]);
  for await (const rows of pages) {
    yield toCsv(
      rows
        .map(present)
        .map(({ metadata, ...row }) => [
          row.id,
          new Date(row.timestamp).toISOString(),
          row.source,
          row.amount,
          row.isFromMonthlyAllowance,
          row.details,
          metadata.apiKeyName ?? '',
          metadata.args === undefined ? '' : JSON.stringify(metadata.args),
          ...(isOfTeam ? [metadata.user ?? '', metadata.userEmail ?? '', row.userAccountAmount ?? ''] : []),
        ]),
    );
  }
}

function present(row: Row<'creditTransactions'>): CreditTransaction {
  return {
    id: row.id,
    userId: row.userId,
    teamId: row.teamId,
    amount: row.amount,
    userAccountAmount: row.userAccountAmount,
    source: row.source,
    isFromMonthlyAllowance: row.isFromMonthlyAllowance === 1,
    timestamp: row.timestamp,
    details: row.details,
    metadata: storedJson<CreditTransaction['metadata']>(row.metadata, {}),
  };
}
