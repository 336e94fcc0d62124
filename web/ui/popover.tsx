import { cloneElement, type FocusEvent, type ReactElement, type ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { popupClasses } from './popup-classes.ts';
import { rove, useSheet } from './sheet.ts';

interface PopoverProps {
  /** What it is, read out when it opens. */
  label: string;
  /** The button that opens it. */
  trigger: ReactElement<Record<string, unknown>>;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  className?: string;
  children: ReactNode;
}

/** A sheet over the page that holds more than commands: lists with buttons of their own, links. */
export function Popover({ label, trigger, isOpen, onOpenChange, className, children }: PopoverProps) {
  const { triggerProps, sheetProps } = useSheet({
    isOpen,
    onOpenChange,
    role: 'dialog',
    focusFirst: 'a, button',
  });
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) onOpenChange(false);
  };
  return (
    <>
      {cloneElement(trigger, triggerProps)}
      <div
        {...sheetProps}
        aria-label={label}
        onBlur={onBlur}
        // Letters are not for finding entries here.
        onKeyDown={(event) => event.key.length > 1 && rove(event, 'a, button')}
        className={classNames(
          popupClasses,
          'max-h-[min(32rem,var(--available-height))] max-w-[var(--available-width)] overflow-y-auto overscroll-contain',
          className,
        )}
      >
        {isOpen && children}
      </div>
    </>
  );
}
