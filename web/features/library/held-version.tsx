import type { JobRun, RunQuality } from '#contract/library.ts';
import { useFaultToast } from '../../kit/use-fault-toast.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { countOf, formatCount } from '../../ui/quantities.ts';
import { useToast } from '../../ui/toast.tsx';
import { useAcceptJob } from './queries.ts';

interface HeldVersionProps {
  job: JobRun;
  mayAccept: boolean;
  mayRepeat: boolean;
  onRepeat: () => void;
}

/** A version that is not served because it scores worse: the questions it misses, and the possible actions. */
export function HeldVersion({ job, mayAccept, mayRepeat, onRepeat }: HeldVersionProps) {
  const accept = useAcceptJob();
  const toast = useToast();
  const tellFault = useFaultToast();
  const onAccept = () =>
    accept.mutate(job.id, {
      onSuccess: () => toast({ message: `New version of ${job.displayName} now in service` }),
      onError: tellFault,
    });
  return (
    <Notice
      tone="warn"
      title="The new version is held back: it answers fewer questions"
      action={
        mayAccept && (
          <span className="flex flex-wrap gap-2">
            {mayRepeat && <Button onClick={onRepeat}>Try again</Button>}
            <Button isBusy={accept.isPending} onClick={onAccept}>
              Accept it anyway
            </Button>
          </span>
        )
      }
    >
      {job.error} The earlier version is still served.
      <Comparison job={job} />
    </Notice>
  );
}

/** Both versions' figures, and the questions that the new one misses. */
function Comparison({ job: { quality } }: { job: JobRun }) {
  if (quality === null) return null;
  const { before, after, probes, missed } = quality;
  const rows: [string, RunQuality['before']][] = [
    ['Served', before],
    ['New', after],
  ];
  return (
    <>
      <dl className="tabular mt-2 grid grid-cols-[auto_1fr] gap-x-4 gap-y-0.5 text-sm">
        {rows.map(([name, score]) => (
          <div key={name} className="contents">
            <dt>{name}</dt>
            <dd>
              {formatCount(score.answered)} of {countOf(probes, 'question')} answered, {formatCount(score.tokens)}{' '}
              tokens
            </dd>
          </div>
        ))}
      </dl>
      {missed.length > 0 && (
        <details className="mt-2">
          <summary className="cursor-pointer rounded-xs">
            {countOf(missed.length, 'question', 'questions')} no longer answered
          </summary>
          <ul className="mt-1.5 flex flex-col gap-1 text-sm">
            {missed.map(({ question, address }) => (
              <li key={`${question} ${address}`} className="wrap-anywhere">
                {question} <span className="text-soft">{address}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
