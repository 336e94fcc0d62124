import { type KeyboardEvent, type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';
import { useCurrentInRow } from './current-in-row.ts';
import { rove } from './sheet.ts';

interface TabsProps<Name extends string> {
  /** The tab list's accessible name. */
  label: string;
  value: Name;
  onChange: (value: Name) => void;
  /** `count`: number of items that need attention. */
  tabs: { name: Name; label: string; count?: number | undefined; panel: ReactNode }[];
  /** `line`: sections of a panel. `pill`: two views of the same content. */
  look?: 'line' | 'pill';
  /** Shown at the end of the row of tabs. */
  aside?: ReactNode;
  panelClassName?: string;
}

const looks = {
  line: {
    list: 'flex max-w-full gap-5 overflow-x-auto',
    tab: 'h-10 border-b-2 border-transparent aria-selected:border-lamp',
  },
  pill: {
    list: 'inline-flex flex-wrap rounded-md border border-line bg-sunken p-0.5',
    tab: 'h-7 rounded-sm border border-transparent px-2.5 aria-selected:border-line aria-selected:bg-surface aria-selected:shadow-sm dark:aria-selected:bg-raised',
  },
} as const;

/** Tabs, of which one panel is shown. Arrow keys move between them. */
export function Tabs<Name extends string>(props: TabsProps<Name>) {
  const look = looks[props.look ?? 'line'];
  const id = useId();
  const row = useCurrentInRow<HTMLDivElement>(props.value, '[aria-selected="true"]');
  const shown = props.tabs.find(({ name }) => name === props.value);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const key = { ArrowLeft: 'ArrowUp', ArrowRight: 'ArrowDown', Home: 'Home', End: 'End' }[event.key];
    if (key !== undefined) rove(event, '[role=tab]', key);
  };
  return (
    <div className="min-w-0">
      <div
        className={classNames(
          'flex flex-wrap items-center justify-between gap-x-4 gap-y-2 max-md:flex-col-reverse max-md:items-start',
          props.look !== 'pill' && 'border-line border-b',
        )}
      >
        <div ref={row} role="tablist" aria-label={props.label} onKeyDown={onKeyDown} className={look.list}>
          {props.tabs.map(({ name, label, count = 0 }) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`${id}${name}`}
              aria-selected={name === props.value}
              aria-controls={name === props.value ? `${id}panel` : undefined}
              tabIndex={name === props.value ? 0 : -1}
              onClick={() => props.onChange(name)}
              onFocus={() => name !== props.value && props.onChange(name)}
              className={classNames(
                'select-none whitespace-nowrap font-medium text-soft text-sm transition-colors duration-150 hover:text-ink aria-selected:text-ink',
                look.tab,
              )}
            >
              {label}
              {count > 0 && (
                <span className="ml-1.5 inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-full border border-warn-line bg-warn-ground px-1 text-2xs text-warn tabular-nums">
                  {count}
                </span>
              )}
            </button>
          ))}
        </div>
        {props.aside}
      </div>
      {shown && (
        <div
          key={shown.name}
          role="tabpanel"
          id={`${id}panel`}
          aria-labelledby={`${id}${shown.name}`}
          tabIndex={0}
          className={classNames('rounded-sm', props.panelClassName)}
        >
          {shown.panel}
        </div>
      )}
    </div>
  );
}
