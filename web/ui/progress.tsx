import { classNames } from './class-names.ts';

interface ProgressProps {
  label: string;
  /** Null if the total is unknown. */
  value: number | null;
  max: number;
  /** Text for screen readers: "120 of 500 pages". */
  valueText: string;
  tone?: 'busy' | 'quiet';
}

export function Progress({ label, value, max, valueText, tone = 'busy' }: ProgressProps) {
  const most = Math.max(max, 1);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={most}
      aria-valuenow={value ?? undefined}
      aria-valuetext={valueText}
      className="h-1.5 w-full overflow-hidden rounded-full bg-hover"
    >
      <div
        style={value === null ? undefined : { width: `${(100 * value) / most}%` }}
        className={classNames(
          'h-full rounded-full transition-[width] duration-300',
          tone === 'busy' ? 'bg-busy' : 'bg-line-strong',
          value === null && 'w-1/3 animate-[sweep_1.4s_ease-in-out_infinite]',
        )}
      />
    </div>
  );
}
