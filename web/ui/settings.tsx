import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

interface SettingsSectionProps {
  id: string;
  title: string;
  /** A sentence that describes the settings. */
  about?: ReactNode;
  isDangerous?: boolean;
  children: ReactNode;
}

/** A section of a settings page: its description on the left, the controls on the right. */
export function SettingsSection({ id, title, about, isDangerous = false, children }: SettingsSectionProps) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid scroll-mt-2 gap-x-12 gap-y-4 border-line border-t py-8 first:border-t-0 first:pt-0 lg:grid-cols-[15rem_minmax(0,1fr)]"
    >
      <div>
        <h2 id={`${id}-title`} className="heading-part">
          {title}
        </h2>
        {about !== undefined && <p className="mt-1 text-pretty text-faint text-sm">{about}</p>}
      </div>
      <div
        className={classNames(
          'min-w-0 divide-y rounded-lg border bg-surface shadow-sm',
          isDangerous ? 'divide-danger-line border-danger-line' : 'divide-line border-line',
        )}
      >
        {children}
      </div>
    </section>
  );
}

/** A row in a settings section. */
export function SettingsRow({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <div data-row className={classNames('px-5 py-4', className)}>
      {children}
    </div>
  );
}
