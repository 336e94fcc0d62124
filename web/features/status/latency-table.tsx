import type { LatencyPoint } from '#contract/status.ts';
import { formatCount, formatMs } from '../../ui/quantities.ts';

interface LatencyTableProps {
  title: string;
  points: LatencyPoint[];
  labelOf: (point: LatencyPoint) => string;
}

/** The lines as a table, newest first, without the times in which there were no calls. */
export function LatencyTable({ title, points, labelOf }: LatencyTableProps) {
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label={title}
      className="max-h-64 overflow-y-auto rounded-md border border-line"
    >
      <table className="tabular w-full text-left text-sm">
        <caption className="sr-only">{title}</caption>
        <thead className="sticky top-0 bg-sunken text-soft text-xs">
          <tr>
            <th scope="col" className="px-3 py-1.5 font-medium">
              From
            </th>
            {['Median', '95th percentile', 'Calls', 'Failed'].map((name) => (
              <th key={name} scope="col" className="px-3 py-1.5 text-right font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points
            .filter(({ calls }) => calls > 0)
            .toReversed()
            .map((point) => (
              <tr key={point.at} className="border-line border-t">
                <th scope="row" className="whitespace-nowrap px-3 py-1 font-normal">
                  {labelOf(point)}
                </th>
                <td className="px-3 py-1 text-right">{formatMs(point.p50 ?? 0)}</td>
                <td className="px-3 py-1 text-right">{formatMs(point.p95 ?? 0)}</td>
                <td className="px-3 py-1 text-right">{formatCount(point.calls)}</td>
                <td className="px-3 py-1 text-right">{formatCount(point.errors)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}
