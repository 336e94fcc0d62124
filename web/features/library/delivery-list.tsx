import type { RepositoryDelivery } from '#contract/repositories.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { countOf } from '../../ui/quantities.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { useEntryState } from '../../ui/use-entry-state.ts';
import { deliveryWords, shortRef } from './webhook-words.ts';

const shownFirst = 8;

/** What the host has told last, and what came of each. */
export function DeliveryList({ deliveries }: { deliveries: RepositoryDelivery[] }) {
  const [isWhole, setIsWhole] = useEntryState('Last deliveries', false);
  const shown = isWhole ? deliveries : deliveries.slice(0, shownFirst);
  return (
    <div>
      <h3 className="mb-1.5 font-medium text-ink text-sm">Last deliveries</h3>
      {deliveries.length === 0 ? (
        <p className="rounded-md border border-line border-dashed px-3 py-4 text-faint text-sm">
          No deliveries yet. A test from the host or a push appears here within seconds.
        </p>
      ) : (
        <Table caption="Last deliveries" columns={columns} rows={shown} rowKey={({ id }) => id} />
      )}
      {shown.length < deliveries.length && (
        <Button look="quiet" size="sm" className="mt-1.5 -ml-2.5" onClick={() => setIsWhole(true)}>
          Show {countOf(deliveries.length - shown.length, 'older delivery', 'older deliveries')}
        </Button>
      )}
    </div>
  );
}

const columns: Column<RepositoryDelivery>[] = [
  {
    id: 'at',
    label: 'When',
    cell: ({ at, times }) => (
      <span className="whitespace-nowrap text-soft">
        <RelativeTime at={at} />
        {times > 1 && <span className="block text-faint text-xs">{times} times</span>}
      </span>
    ),
  },
  {
    id: 'event',
    label: 'Event',
    isWide: true,
    cell: ({ event, ref }) => <Told event={event} refName={ref} />,
  },
  {
    id: 'outcome',
    label: 'Result',
    cell: (delivery) => {
      const { label, tone, detail } = deliveryWords(delivery);
      return (
        <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <Badge tone={tone}>{label}</Badge>
          <span className="min-w-0 flex-1 basis-40 text-soft text-sm">{detail}</span>
          <span className="basis-full md:hidden">
            <Told event={delivery.event} refName={delivery.ref} />
          </span>
        </span>
      );
    },
  },
];

function Told({ event, refName }: { event: string | null; refName: string | null }) {
  if (event === null) return <span className="text-faint max-md:hidden">–</span>;
  return (
    <span className="wrap-anywhere text-ink text-sm">
      {event}
      {refName !== null && <code className="block font-mono text-faint text-xs">{shortRef(refName)}</code>}
    </span>
  );
}
