import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export type Tone = 'quiet' | 'good' | 'busy' | 'warn' | 'bad';

const tones: Record<Tone, string> = {
  quiet: 'border-line-strong bg-sunken text-soft',
  good: 'border-lamp-line bg-lamp-ground text-lamp',
  busy: 'border-busy-line bg-busy-ground text-busy',
  warn: 'border-warn-line bg-warn-ground text-warn',
  bad: 'border-danger-line bg-danger-ground text-danger',
};

interface BadgeProps {
  tone?: Tone;
  icon?: ReactNode;
  children: ReactNode;
}

/** A short state or property. The word carries the meaning; the colour only supports it. */
export function Badge({ tone = 'quiet', icon, children }: BadgeProps) {
  return (
    <span
      className={classNames(
        'inline-flex h-5.5 shrink-0 items-center gap-1 whitespace-nowrap rounded-full border px-2 font-medium text-2xs',
        tones[tone],
      )}
    >
      {icon}
      {children}
    </span>
  );
}
