import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

const tones = {
  info: { box: 'border-line-strong bg-sunken', icon: <Info aria-hidden className="size-4 text-faint" /> },
  warn: { box: 'border-warn-line bg-warn-ground', icon: <TriangleAlert aria-hidden className="size-4 text-warn" /> },
  bad: { box: 'border-danger-line bg-danger-ground', icon: <CircleAlert aria-hidden className="size-4 text-danger" /> },
};

interface NoticeProps {
  tone: keyof typeof tones;
  title?: string;
  children?: ReactNode;
  /** The remedy, such as "Try again". */
  action?: ReactNode;
}

/** An inline message. Screen readers announce an error immediately, other messages in turn. */
export function Notice({ tone, title, children, action }: NoticeProps) {
  const { box, icon } = tones[tone];
  return (
    <div
      role={tone === 'bad' ? 'alert' : undefined}
      className={classNames('flex flex-wrap items-center gap-x-4 gap-y-3 rounded-lg border px-4 py-3', box)}
    >
      <div className="flex min-w-0 flex-1 basis-64 gap-3">
        <span className="mt-0.5 shrink-0">{icon}</span>
        <div className="wrap-anywhere min-w-0">
          {title !== undefined && <p className="font-medium text-ink">{title}</p>}
          {children !== undefined && <div className="text-soft">{children}</div>}
        </div>
      </div>
      {action}
    </div>
  );
}
