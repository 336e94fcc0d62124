import { Check, ChevronsUpDown } from 'lucide-react';
import { type KeyboardEvent, useId, useState } from 'react';
import { classNames } from './class-names.ts';
import { popupClasses, popupItemClasses } from './popup-classes.ts';
import { rove, useSheet } from './sheet.ts';

export interface SelectOption {
  value: string;
  label: string;
  /** Text at the end of the option, such as a count. */
  note?: string;
  /** Explanation below the option. */
  hint?: string;
}

interface SelectProps {
  label: string;
  options: SelectOption[];
  value: string;
  onChange: (value: string) => void;
  /** Hides the label visually, if the context already shows it. */
  isLabelHidden?: boolean;
  className?: string;
}

/** A select with the label inside the button, for filter rows. */
export function Select({ label, options, value, onChange, isLabelHidden = false, className }: SelectProps) {
  const [isOpen, setIsOpen] = useState(false);
  const labelId = useId();
  const { triggerProps, sheetProps } = useSheet({
    isOpen,
    onOpenChange: setIsOpen,
    role: 'listbox',
    focusFirst: '[aria-selected=true]',
  });
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    // The focus continues from the button.
    if (event.key === 'Tab') setIsOpen(false);
    rove(event, '[role=option]');
  };
  return (
    <>
      <button
        type="button"
        role="combobox"
        aria-labelledby={labelId}
        aria-controls={sheetProps.id}
        {...triggerProps}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          setIsOpen(true);
        }}
        className={classNames(
          'inline-flex h-8 min-w-0 items-center gap-1.5 rounded-md border border-line-strong bg-surface pr-2 pl-2.5 text-sm shadow-sm hover:bg-hover aria-expanded:bg-hover',
          className,
        )}
      >
        <span id={labelId} className={isLabelHidden ? 'sr-only' : 'text-faint'}>
          {label}
        </span>
        <span className="truncate font-medium text-ink">
          {options.find((option) => option.value === value)?.label ?? value}
        </span>
        <ChevronsUpDown aria-hidden className="ml-auto size-3.5 shrink-0 text-faint" />
      </button>
      <div
        {...sheetProps}
        aria-labelledby={labelId}
        onKeyDown={onKeyDown}
        className={classNames(
          popupClasses,
          'max-h-[min(22rem,var(--available-height))] min-w-[max(11rem,var(--anchor-width))] max-w-[min(24rem,var(--available-width))] overflow-y-auto',
        )}
      >
        {isOpen &&
          options.map((option) => (
            <button
              key={option.value}
              type="button"
              role="option"
              aria-selected={option.value === value}
              tabIndex={-1}
              onClick={() => {
                setIsOpen(false);
                onChange(option.value);
              }}
              className={popupItemClasses}
            >
              <span className="min-w-0 flex-1">
                <span className="wrap-anywhere block">{option.label}</span>
                {option.hint !== undefined && <span className="block text-faint text-xs">{option.hint}</span>}
              </span>
              {option.note !== undefined && <span className="tabular text-faint text-xs">{option.note}</span>}
              <span className="flex w-4 justify-end">
                {option.value === value && <Check aria-hidden className="size-3.5 text-lamp" />}
              </span>
            </button>
          ))}
      </div>
    </>
  );
}
