import { CircleAlert, CircleCheck, CircleDashed, TriangleAlert } from 'lucide-react';
import type { StatusReport, StatusState } from '#contract/status.ts';
import { statusReadAgainSeconds } from '#contract/status-parts.ts';
import { stateWords, wholeSentences } from '#contract/status-words.ts';
import { classNames } from '../../ui/class-names.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';

const looks: Record<StatusState, string> = {
  operational: 'border-lamp-line bg-lamp-ground text-lamp',
  degraded: 'border-warn-line bg-warn-ground text-warn',
  down: 'border-danger-line bg-danger-ground text-danger',
  unknown: 'border-line-strong bg-sunken text-soft',
};

const icons = {
  operational: CircleCheck,
  degraded: TriangleAlert,
  down: CircleAlert,
  unknown: CircleDashed,
};

/** The whole at one glance. A change is read out; how long ago it was measured is not. */
export function WholeBanner({ report, isOld }: { report: StatusReport; isOld: boolean }) {
  const { state, measuredAt, checks } = report;
  const Icon = icons[state];
  const faulty = checks.filter((check) => check.state === 'down' || check.state === 'degraded');
  return (
    <section
      aria-label="Overall"
      className={classNames('rounded-xl border px-5 py-5 sm:px-7 sm:py-6', looks[isOld ? 'unknown' : state])}
    >
      <div className="flex items-start gap-4">
        <Icon aria-hidden className="mt-1 size-6 shrink-0" />
        <div className="min-w-0">
          <p role="status" className="font-display text-2xl text-ink">
            {isOld && 'Last known: '}
            {wholeSentences[state]}
          </p>
          {faulty.length > 0 && (
            <p className="mt-1 text-ink">
              {faulty.map(({ label, state: its }) => `${label}: ${stateWords[its].toLowerCase()}`).join('. ')}.
            </p>
          )}
          <p className="mt-1 text-soft">
            {measuredAt === null ? (
              "No recent measurements. The first ones appear within a minute of the server's start."
            ) : (
              <>
                Measured <RelativeTime at={measuredAt} />. This page refreshes every {statusReadAgainSeconds} seconds.
              </>
            )}
          </p>
        </div>
      </div>
    </section>
  );
}
