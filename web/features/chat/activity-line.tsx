import { LoaderCircle } from 'lucide-react';
import { useEffect, useState } from 'react';
import { formatSeconds } from '../../ui/quantities.ts';
import type { Activity, Turn } from './turns.ts';

/** After this time the reader sees that the model is slow: a working model starts sooner, and a dead one times out much later. */
const patienceSeconds = 8;

/** What an answer on its way is doing. Read out by the status of the screen, so it is silent here, but for a long silence. */
export function ActivityLine({ turn, activity }: { turn: Turn; activity: Activity }) {
  const silence = useSilenceOf(turn);
  const isLong = silence >= patienceSeconds;
  const hasFound = (turn.answer?.citations.length ?? 0) > 0;
  const still = hasFound ? 'Still waiting for the model' : 'Still searching';
  return (
    <div className="mt-2 text-faint text-sm">
      <p aria-hidden className="flex items-center gap-2">
        <LoaderCircle className="size-3.5 shrink-0 animate-[turn_0.9s_linear_infinite]" />
        <span className="tabular truncate">{isLong ? `${still}, ${formatSeconds(silence)}…` : wordsOf(activity)}</span>
      </p>
      <p role="status" className="sr-only">
        {isLong && `${still}. Escape in the question box stops the answer.`}
      </p>
    </div>
  );
}

/** For how many whole seconds nothing has come of an answer: each thing that comes makes another turn of it. */
function useSilenceOf(turn: Turn): number {
  const [silence, setSilence] = useState({ turn, seconds: 0 });
  useEffect(() => {
    const since = Date.now();
    const timer = setInterval(() => setSilence({ turn, seconds: Math.floor((Date.now() - since) / 1_000) }), 1_000);
    return () => clearInterval(timer);
  }, [turn]);
  return silence.turn === turn ? silence.seconds : 0;
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
