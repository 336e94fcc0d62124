import { useQuery } from '@tanstack/react-query';
import type { Invoice } from '#contract/billing.ts';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { countOf, formatDay, formatUsd } from '../../ui/quantities.ts';
import { SettingsRow } from '../../ui/settings.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { useEntryState } from '../../ui/use-entry-state.ts';
import { invoicesOptions, type Payer } from './queries.ts';

/** As many as are shown before one asks for all. */
const shownAtFirst = 4;

const statuses: Record<Invoice['status'], { tone: Tone; label: string }> = {
  paid: { tone: 'good', label: 'Paid' },
  open: { tone: 'warn', label: 'Open' },
  void: { tone: 'quiet', label: 'Void' },
  refunded: { tone: 'quiet', label: 'Refunded' },
};

/** What was charged, newest first. */
export function InvoiceRows({ payer }: { payer: Payer }) {
  return (
    <SettingsRow>
      <h3 className="font-medium text-ink text-sm">Invoices</h3>
      <div className="mt-2">
        <Invoices payer={payer} />
      </div>
    </SettingsRow>
  );
}

function Invoices({ payer }: { payer: Payer }) {
  const query = useQuery(invoicesOptions(payer));
  const [isWhole, setIsWhole] = useEntryState('Invoices', false);
  if (query.data === undefined) {
    if (query.isError) {
      return <RetryNotice query={query} title="Couldn't load invoices" isSmall />;
    }
    return (
      <Loading label="Loading invoices…" className="flex flex-col gap-3 py-1">
        <Skeleton className="h-4 w-full" />
        <Skeleton className="h-4 w-4/5" />
      </Loading>
    );
  }
  if (query.data.length === 0) return <p className="text-faint text-sm">Nothing has been charged yet.</p>;
  const shown = isWhole ? query.data : query.data.slice(0, shownAtFirst);
  const rest = query.data.length - shown.length;
  return (
    <>
      <table className="tabular w-full border-collapse text-left text-sm">
        <caption className="sr-only">Invoices, newest first</caption>
        <thead className="sr-only">
          <tr>
            {['Day', 'For', 'Status', 'Amount'].map((label) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((invoice) => (
            <InvoiceRow key={invoice.invoiceId} invoice={invoice} />
          ))}
        </tbody>
      </table>
      {rest > 0 && (
        <Button look="quiet" size="sm" className="mt-1.5 -ml-2.5" onClick={() => setIsWhole(true)}>
          Show {countOf(rest, 'older invoice')}
        </Button>
      )}
    </>
  );
}

function InvoiceRow({ invoice: { createdAt, description, status, totalCents, url } }: { invoice: Invoice }) {
  const { tone, label } = statuses[status];
  return (
    <tr className="border-line border-t first:border-t-0">
      <td className="whitespace-nowrap py-2 pr-4 text-faint max-sm:hidden">{formatDay(createdAt)}</td>
      <td className="wrap-anywhere py-2 pr-4 text-ink">
        {url === null ? (
          description
        ) : (
          <a href={url} target="_blank" rel="noreferrer" className="rounded-xs underline underline-offset-3">
            {description}
          </a>
        )}
        <span className="block text-faint text-xs sm:hidden">{formatDay(createdAt)}</span>
      </td>
      <td className="py-2 pr-4">
        <Badge tone={tone}>{label}</Badge>
      </td>
      <td className="py-2 text-right text-ink">{formatUsd(totalCents)}</td>
    </tr>
  );
}
