import { LoaderCircle } from 'lucide-react';
import type { Activity } from './turns.ts';

/** What an answer on its way is doing. Read out by the status of the screen, so it is silent here. */
export function ActivityLine({ activity }: { activity: Activity }) {
  return (
    <p aria-hidden className="mt-2 flex items-center gap-2 text-faint text-sm">
      <LoaderCircle className="size-3.5 shrink-0 animate-[turn_0.9s_linear_infinite]" />
      <span className="truncate">{wordsOf(activity)}</span>
    </p>
  );
}

function wordsOf(activity: Activity): string {
  switch (activity.kind) {
    case 'searching':
      return `Searching for “${activity.query.slice(0, 80)}”…`;
    case 'reading':
      return `Reading ${activity.url.replace(/^https?:\/\//, '')}…`;
    case 'writing':
      return 'Writing…';
  }
}
