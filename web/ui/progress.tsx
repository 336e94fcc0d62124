import { Progress as BaseProgress } from '@base-ui/react/progress';
import { classNames } from './class-names.ts';

interface ProgressProps {
  label: string;
  /** Null when no one knows how much there is. */
  value: number | null;
  max: number;
  /** How it reads aloud: "120 of 500 pages". */
  valueText: string;
  tone?: 'busy' | 'quiet';
}

export function Progress({ label, value, max, valueText, tone = 'busy' }: ProgressProps) {
  return (
    <BaseProgress.Root
      aria-label={label}
      value={value}
      max={Math.max(max, 1)}
      getAriaValueText={() => valueText}
      className="block w-full"
    >
      <BaseProgress.Track className="block h-1.5 overflow-hidden rounded-full bg-hover">
        <BaseProgress.Indicator
          className={classNames(
            'block h-full rounded-full transition-[width] duration-300',
            tone === 'busy' ? 'bg-busy' : 'bg-line-strong',
            value === null && 'w-1/3 animate-[sweep_1.4s_ease-in-out_infinite]',
          )}
        />
      </BaseProgress.Track>
    </BaseProgress.Root>
  );
}
