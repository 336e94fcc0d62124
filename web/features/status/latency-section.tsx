import { useQuery } from '@tanstack/react-query';
import type { LatencyRange, StatusLatency } from '#contract/status.ts';
import { latencyFigures } from '#contract/status-words.ts';
import { useAddressFilters } from '../../kit/address-filters.ts';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { Segments } from '../../ui/segments.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { LatencyChart } from './latency-chart.tsx';
import { latencyOptions } from './queries.ts';
import { useWritten, Written } from './written-status.tsx';

const ranges = [
  { value: '24h', label: '24 h' },
  { value: '7d', label: '7 days' },
  { value: '90d', label: '90 days' },
] as const;

const kinds = [
  { value: 'search', label: 'Searches' },
  { value: 'read', label: 'Reads' },
] as const;
type Kind = (typeof kinds)[number]['value'];

/** The option that the address names, else the first. */
function valueOf<Value extends string>(
  options: readonly [{ value: Value }, ...{ value: Value }[]],
  named: string | null,
): Value {
  return (options.find(({ value }) => value === named) ?? options[0]).value;
}

/** How long people and agents have waited for answers. */
export function LatencySection() {
  const [filters, setFilters] = useAddressFilters();
  const range = valueOf<LatencyRange>(ranges, filters.get('time'));
  const kind = valueOf<Kind>(kinds, filters.get('calls'));
  const latency = useQuery(latencyOptions(range));
  const written = useWritten('speed');
  const isFirst = range === '24h' && kind === 'search';
  const isWritten = isFirst && latency.data === undefined && written !== undefined;
  return (
    <section aria-labelledby="speed" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div>
          <h2 id="speed" className="heading-part">
            Speed
          </h2>
          <p className="text-soft text-sm">Duration of real searches and reads.</p>
        </div>
        <div className="flex flex-wrap gap-2 noscript:hidden">
          <Segments
            label="Calls"
            value={kind}
            options={kinds}
            onChange={(calls) => setFilters({ calls: calls === kinds[0].value ? '' : calls })}
          />
          <Segments
            label="Time"
            value={range}
            options={ranges}
            onChange={(time) => setFilters({ time: time === ranges[0].value ? '' : time })}
          />
        </div>
      </div>
      {latency.data !== undefined && <Latency latency={latency.data} kind={kind} />}
      {isWritten && <Written part="speed" html={written} />}
      {latency.data === undefined && !isWritten && latency.isError && (
        <RetryNotice query={latency} title="Couldn't load response times" />
      )}
      {latency.isPending && !isWritten && (
        <Loading label="Loading the speed…">
          <Skeleton className="h-72 w-full rounded-lg" />
        </Loading>
      )}
    </section>
  );
}

function Latency({ latency, kind }: { latency: StatusLatency; kind: Kind }) {
  const total = latency.total[kind];
  return (
    <div className="flex flex-col gap-5 rounded-lg border border-line bg-surface p-4 shadow-sm sm:p-5">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-4">
        {latencyFigures(total, kind).map(([name, value]) => (
          <Figure key={name} name={name} value={value} />
        ))}
      </dl>
      {total.calls === 0 ? (
        <p className="rounded-md border border-line border-dashed px-4 py-10 text-center text-soft">
          {kind === 'search' ? 'No searches' : 'No reads'} in this period.
        </p>
      ) : (
        <LatencyChart
          title={kind === 'search' ? 'Search duration' : 'Read duration'}
          points={latency[kind]}
          stepMinutes={latency.stepMinutes}
        />
      )}
    </div>
  );
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt className="text-faint text-xs">{name}</dt>
      <dd className="tabular font-display text-ink text-xl">{value}</dd>
    </div>
  );
}
