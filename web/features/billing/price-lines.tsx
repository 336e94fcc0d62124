import type { ReactNode } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { formatUsd } from '../../ui/quantities.ts';

interface PriceLine {
  label: ReactNode;
  /** Explanation below the label. */
  note?: ReactNode;
  /** US cents; negative for deductions. */
  cents: number;
}

interface PriceLinesProps {
  lines: PriceLine[];
  total: PriceLine;
}

/** The items of a price, line by line, and the total. */
export function PriceLines({ lines, total }: PriceLinesProps) {
  return (
    <dl className="tabular flex flex-col gap-2.5 text-sm">
      {lines.map((line, place) => (
        // Two lines may have the same text, so the key is their position.
        <Line key={place} line={line} />
      ))}
      <Line line={total} isTotal />
    </dl>
  );
}

function Line({ line, isTotal = false }: { line: PriceLine; isTotal?: boolean }) {
  return (
    <div
      className={classNames(
        'flex items-baseline justify-between gap-4',
        isTotal && 'mt-0.5 border-line border-t pt-3 font-semibold text-md text-ink',
      )}
    >
      <dt className="wrap-anywhere min-w-0">
        <span className={isTotal ? undefined : 'text-soft'}>{line.label}</span>
        {line.note !== undefined && <span className="block font-normal text-faint text-xs">{line.note}</span>}
      </dt>
      <dd className={classNames('shrink-0 text-right', !isTotal && 'text-ink')}>{formatUsd(line.cents)}</dd>
    </div>
  );
}
