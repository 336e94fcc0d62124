import { Tabs as BaseTabs } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

interface TabsProps<Name extends string> {
  /** What the tabs choose between, read out with them. */
  label: string;
  value: Name;
  onChange: (value: Name) => void;
  /** `count`: something waits there. */
  tabs: { name: Name; label: string; count?: number | undefined; panel: ReactNode }[];
  /** `line`: parts of a panel. `pill`: two views of one thing. */
  look?: 'line' | 'pill';
  /** Stands at the end of the row of tabs. */
  aside?: ReactNode;
  panelClassName?: string;
}

const looks = {
  line: {
    list: 'relative flex max-w-full gap-5 overflow-x-auto',
    tab: 'h-10 text-sm text-soft hover:text-ink data-active:text-ink font-medium',
    indicator:
      'absolute bottom-0 left-[var(--active-tab-left)] h-0.5 w-[var(--active-tab-width)] bg-lamp transition-[left,width] duration-150',
  },
  pill: {
    list: 'relative inline-flex rounded-md border border-line bg-sunken p-0.5',
    tab: 'relative z-1 h-7 px-2.5 text-sm text-soft hover:text-ink data-active:text-ink font-medium rounded-sm',
    indicator:
      'absolute top-0.5 left-[var(--active-tab-left)] h-7 w-[var(--active-tab-width)] rounded-sm border border-line bg-surface shadow-sm transition-[left,width] duration-150 dark:bg-raised',
  },
} as const;

export function Tabs<Name extends string>(props: TabsProps<Name>) {
  const look = looks[props.look ?? 'line'];
  return (
    <BaseTabs.Root value={props.value} onValueChange={(value: Name) => props.onChange(value)} className="min-w-0">
      <div
        className={classNames(
          'flex flex-wrap items-center justify-between gap-x-4 gap-y-2 max-md:flex-col-reverse max-md:items-start',
          props.look !== 'pill' && 'border-line border-b',
        )}
      >
        <BaseTabs.List aria-label={props.label} activateOnFocus className={look.list}>
          {props.tabs.map(({ name, label, count = 0 }) => (
            <BaseTabs.Tab key={name} value={name} className={classNames('select-none whitespace-nowrap', look.tab)}>
              {label}
              {count > 0 && (
                <span className="ml-1.5 inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-full border border-warn-line bg-warn-ground px-1 text-2xs text-warn tabular-nums">
                  {count}
                </span>
              )}
            </BaseTabs.Tab>
          ))}
          <BaseTabs.Indicator renderBeforeHydration={false} className={look.indicator} />
        </BaseTabs.List>
        {props.aside}
      </div>
      {props.tabs.map(({ name, panel }) => (
        <BaseTabs.Panel key={name} value={name} className={classNames('rounded-sm', props.panelClassName)}>
          {panel}
        </BaseTabs.Panel>
      ))}
    </BaseTabs.Root>
  );
}
