import { Select as BaseSelect } from '@base-ui/react/select';
import { Check, ChevronsUpDown } from 'lucide-react';
import { classNames } from './class-names.ts';
import { popupClasses, popupItemClasses } from './popup-classes.ts';

export interface SelectOption {
  value: string;
  label: string;
  /** A word at the end of the line, such as a count. */
  note?: string;
  /** What choosing it means, beneath it. */
  hint?: string;
}

interface SelectProps {
  label: string;
  options: SelectOption[];
  value: string;
  onChange: (value: string) => void;
  /** The label is only read out: what stands around the list says it. */
  isLabelHidden?: boolean;
  className?: string;
}

/** One choice of a list, with the label inside the button, for rows of filters. */
export function Select({ label, options, value, onChange, isLabelHidden = false, className }: SelectProps) {
  return (
    <BaseSelect.Root items={options} value={value} onValueChange={(next) => next !== null && onChange(next)}>
      <BaseSelect.Trigger
        className={classNames(
          'inline-flex h-8 min-w-0 items-center gap-1.5 rounded-md border border-line-strong bg-surface pr-2 pl-2.5 text-sm shadow-sm hover:bg-hover data-popup-open:bg-hover',
          className,
        )}
      >
        {/* A press on a label is handled by the label: inside the button it would close again what the button opens. */}
        <BaseSelect.Label className={isLabelHidden ? 'sr-only' : 'pointer-events-none text-faint'}>
          {label}
        </BaseSelect.Label>
        <BaseSelect.Value className="truncate font-medium text-ink" />
        <BaseSelect.Icon className="ml-auto text-faint">
          <ChevronsUpDown aria-hidden className="size-3.5" />
        </BaseSelect.Icon>
      </BaseSelect.Trigger>
      <BaseSelect.Portal>
        <BaseSelect.Positioner
          positionMethod="fixed"
          sideOffset={6}
          align="start"
          alignItemWithTrigger={false}
          className="z-30 outline-none"
        >
          <BaseSelect.Popup
            className={classNames(
              popupClasses,
              'max-h-[min(22rem,var(--available-height))] min-w-[max(11rem,var(--anchor-width))] max-w-[min(24rem,var(--available-width))] overflow-y-auto',
            )}
          >
            {options.map((option) => (
              <BaseSelect.Item key={option.value} value={option.value} className={popupItemClasses}>
                <span className="min-w-0 flex-1">
                  <BaseSelect.ItemText className="block truncate">{option.label}</BaseSelect.ItemText>
                  {option.hint !== undefined && <span className="block text-faint text-xs">{option.hint}</span>}
                </span>
                {option.note !== undefined && <span className="tabular text-faint text-xs">{option.note}</span>}
                <span className="flex w-4 justify-end">
                  <BaseSelect.ItemIndicator>
                    <Check aria-hidden className="size-3.5 text-lamp" />
                  </BaseSelect.ItemIndicator>
                </span>
              </BaseSelect.Item>
            ))}
          </BaseSelect.Popup>
        </BaseSelect.Positioner>
      </BaseSelect.Portal>
    </BaseSelect.Root>
  );
}
