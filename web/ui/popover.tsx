import { Popover as BasePopover } from '@base-ui/react/popover';
import type { ReactElement, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { popupClasses } from './popup-classes.ts';

interface PopoverProps {
  /** What it is, read out when it opens. */
  label: string;
  /** The button that opens it. */
  trigger: ReactElement;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  className?: string;
  children: ReactNode;
}

/** A sheet over the page that holds more than commands: lists with buttons of their own, links. */
export function Popover({ label, trigger, isOpen, onOpenChange, className, children }: PopoverProps) {
  return (
    <BasePopover.Root open={isOpen} onOpenChange={onOpenChange}>
      <BasePopover.Trigger render={trigger} />
      <BasePopover.Portal>
        <BasePopover.Positioner sideOffset={6} align="start" collisionPadding={12} className="z-30 outline-none">
          <BasePopover.Popup
            aria-label={label}
            className={classNames(
              popupClasses,
              'max-h-[min(32rem,var(--available-height))] max-w-[var(--available-width)] overflow-y-auto overscroll-contain',
              className,
            )}
          >
            {children}
          </BasePopover.Popup>
        </BasePopover.Positioner>
      </BasePopover.Portal>
    </BasePopover.Root>
  );
}
