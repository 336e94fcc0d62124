import { cloneElement, type FocusEvent, type ReactElement, type ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { popupClasses } from './popup-classes.ts';
import { rove, useSheet } from './sheet.ts';

interface PopoverProps {
  /** The accessible name. */
  label: string;
  /** The button that opens it. */
  trigger: ReactElement<Record<string, unknown>>;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  className?: string;
  children: ReactNode;
}

/** A popover for content other than commands: lists with buttons, links. */
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
        // Unlike in menus, letters do not search the entries.
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
