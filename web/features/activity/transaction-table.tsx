import { Link } from 'react-router';
import { amountOf, type CreditTransaction, type TransactionSource } from '#contract/credits.ts';
import { documentPath } from '#contract/document-path.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { classNames } from '../../ui/class-names.ts';
import { countOf, formatCount } from '../../ui/quantities.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { type Column, Table } from '../../ui/table.tsx';

interface TransactionTableProps {
  transactions: CreditTransaction[];
  /** True if rows name the member and show what the member's own account paid. */
  isTeam: boolean;
}

export function TransactionTable({ transactions, isTeam }: TransactionTableProps) {
  return (
    <Table
      caption="Credit transactions"
      columns={columnsFor(isTeam)}
      rows={transactions}
      rowKey={({ id }) => id}
      details={argumentsOf}
    />
  );
}

function columnsFor(isTeam: boolean): Column<CreditTransaction>[] {
  const member: Column<CreditTransaction> = {
    id: 'member',
    label: 'Member',
    isWide: true,
    sortBy: memberOf,
    cell: (row) => <span className="wrap-anywhere text-soft">{memberOf(row)}</span>,
  };
  return [
    {
      id: 'date',
      label: 'Date',
      isWide: true,
      sortBy: ({ timestamp }) => timestamp,
      cell: ({ timestamp }) => (
        <span className="text-soft">
          <RelativeTime at={timestamp} />
        </span>
      ),
    },
    {
      id: 'type',
      label: 'Type',
      isWide: true,
      sortBy: ({ source }) => types[source].label,
      cell: ({ source }) => <TypeBadge source={source} />,
    },
    {
      id: 'details',
      label: 'Details',
      sortBy: ({ details }) => details,
      cell: (row) => <Details row={row} isTeam={isTeam} />,
    },
    ...(isTeam ? [member] : []),
    {
      id: 'key',
      label: 'API key',
      isWide: true,
      sortBy: ({ metadata }) => metadata.apiKeyName ?? '',
      cell: ({ metadata }) =>
        metadata.apiKeyName === undefined ? (
          <span className="text-faint">–</span>
        ) : (
          <span className="wrap-anywhere text-soft">{metadata.apiKeyName}</span>
        ),
    },
    {
      id: 'amount',
      label: 'Credits',
      isNumeric: true,
      sortBy: amountOf,
      cell: (row) => <Amount row={row} />,
    },
  ];
}

const types: Record<TransactionSource, { label: string; tone: Tone }> = {
  subscription: { label: 'Subscription', tone: 'busy' },
  usage: { label: 'Usage', tone: 'quiet' },
  initial: { label: 'Initial', tone: 'good' },
  purchase: { label: 'Purchase', tone: 'good' },
};

function TypeBadge({ source }: { source: TransactionSource }) {
  return <Badge tone={types[source].tone}>{types[source].label}</Badge>;
}

function Details({ row, isTeam }: { row: CreditTransaction; isTeam: boolean }) {
  const subject = subjectOf(row);
  return (
    <div className="min-w-0">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-medium text-ink">{row.details}</span>
        <span className="md:hidden">{row.source !== 'usage' && <TypeBadge source={row.source} />}</span>
      </div>
      {subject !== undefined && <div className="line-clamp-1 break-all text-faint text-xs">{subject}</div>}
      <div className="wrap-anywhere mt-0.5 text-faint text-xs md:hidden">
        <RelativeTime at={row.timestamp} />
        {isTeam && memberOf(row) !== '' && ` · ${memberOf(row)}`}
        {row.metadata.apiKeyName !== undefined && ` · ${row.metadata.apiKeyName}`}
      </div>
    </div>
  );
}

function Amount({ row }: { row: CreditTransaction }) {
  const amount = amountOf(row);
  const isFromMember = row.amount === 0 && row.userAccountAmount !== null;
  return (
    <div>
      <span className={classNames('font-medium', amount > 0 ? 'text-lamp' : amount < 0 ? 'text-ink' : 'text-faint')}>
        {signed(amount)}
      </span>
      {(isFromMember || row.isFromMonthlyAllowance) && (
        <div className="text-faint text-xs">{isFromMember ? "member's account" : 'allowance'}</div>
      )}
    </div>
  );
}

/** Returns the query or the address of a call. */
function subjectOf({ metadata }: CreditTransaction): string | undefined {
  const subject = metadata.args?.query ?? metadata.args?.url;
  return typeof subject === 'string' ? subject : undefined;
}

function memberOf({ metadata }: CreditTransaction): string {
  // The name is empty for a user without one.
  return metadata.user || metadata.userEmail || '';
}

function signed(amount: number): string {
  if (amount === 0) return '0';
  return `${amount < 0 ? '−' : '+'}${formatCount(Math.abs(amount))}`;
}

/** Returns a call's arguments and response size, shown when a row is expanded; undefined for calls without arguments. */
function argumentsOf({ source, metadata, details }: CreditTransaction) {
  const entries = Object.entries(metadata.args ?? {});
  if (source !== 'usage' || entries.length === 0) return undefined;
  return {
    label: `Arguments of ${details.toLowerCase()}`,
    content: (
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        {entries.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="font-mono text-faint text-xs leading-5">{name}</dt>
            <dd className="wrap-anywhere whitespace-pre-wrap font-mono text-ink text-xs leading-5">
              {typeof value === 'string' ? value : JSON.stringify(value)}
            </dd>
          </div>
        ))}
        {metadata.tokens !== undefined && (
          <>
            <dt className="text-faint text-xs leading-5">Response</dt>
            <dd className="tabular text-ink text-xs leading-5">{countOf(metadata.tokens, 'token')}</dd>
          </>
        )}
        {metadata.pages !== undefined && metadata.pages.length > 0 && (
          <>
            <dt className="text-faint text-xs leading-5">Pages</dt>
            <dd className="flex flex-col text-xs leading-5">
              {metadata.pages.map((page) => (
                <Link
                  key={page}
                  to={documentPath(page)}
                  className="wrap-anywhere rounded-xs text-ink underline decoration-line-strong underline-offset-3 hover:decoration-lamp"
                >
                  {page}
                </Link>
              ))}
            </dd>
          </>
        )}
      </dl>
    ),
  };
}
