import { Link } from 'react-router';
import type { Document } from '#contract/documents.ts';
import { classNames } from '../../ui/class-names.ts';
import { useCurrentInRow } from '../../ui/current-in-row.ts';
import { formatCompact } from '../../ui/quantities.ts';
import type { Place } from './reading-place.ts';

interface OutlineProps {
  document: Document;
  /** Position of the passage being read. */
  current: number;
  /** The anchor in the address. */
  anchor: string;
  pathOf: (anchor: string) => string;
  /** Scrolls to a heading without an anchor. */
  onGo: (place: Place) => void;
  className: string;
}

const insets = ['pl-3', 'pl-6', 'pl-9'];

/** The page's headings, with the current one highlighted; the number is the section's size in tokens. */
export function Outline({ document, current, anchor, pathOf, onGo, className }: OutlineProps) {
  const last = document.outline.findLast(({ index }) => index <= current);
  // Sections may share a passage.
  const there = document.outline.filter(({ index }) => index === last?.index);
  const reading = there.find((entry) => anchor !== '' && entry.anchor === anchor) ?? there[0];
  const nav = useCurrentInRow<HTMLElement>(reading ? String(document.outline.indexOf(reading)) : '', '[aria-current]');
  return (
    <nav ref={nav} aria-label="On this page" className={className}>
      <ol className="flex flex-col border-line border-l">
        {document.outline.map((entry, at) => {
          const isCurrent = entry === reading;
          const classes = classNames(
            '-ml-px flex min-h-7 w-full items-baseline gap-2 border-l py-1 pr-1 text-left text-sm leading-5',
            insets[Math.min(entry.depth, insets.length - 1)],
            isCurrent ? 'border-lamp font-medium text-ink' : 'border-transparent text-soft hover:text-ink',
          );
          const words = (
            <>
              <span className="wrap-anywhere min-w-0 flex-1">{entry.text}</span>
              <span className="tabular shrink-0 font-normal text-faint text-2xs">
                {formatCompact(entry.tokens)}
                <span className="sr-only"> tokens</span>
              </span>
            </>
          );
          return (
            // Headings may repeat, so the key includes their position.
            <li key={`${at} ${entry.index}`}>
              {entry.anchor === '' ? (
                <button
                  type="button"
                  className={classes}
                  aria-current={isCurrent || undefined}
                  onClick={() => onGo({ index: entry.index, heading: entry.text })}
                >
                  {words}
                </button>
              ) : (
                <Link
                  to={pathOf(entry.anchor)}
                  preventScrollReset
                  className={classes}
                  aria-current={isCurrent || undefined}
                >
                  {words}
                </Link>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
