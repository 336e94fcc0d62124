import { Menu as BaseMenu } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { popupClasses, popupItemClasses } from './popup-classes.ts';

interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement;
  children: ReactNode;
  align?: 'start' | 'end';
  isOpenAtFirst?: boolean;
}

/** A list of what can be done. It stands still while open: one moved after the page would slip from under a press. */
export function Menu({ trigger, children, align = 'end', isOpenAtFirst = false }: MenuProps) {
  return (
    <BaseMenu.Root defaultOpen={isOpenAtFirst}>
      <BaseMenu.Trigger render={trigger} />
      <BaseMenu.Portal>
        <BaseMenu.Positioner positionMethod="fixed" sideOffset={6} align={align} className="z-30 outline-none">
          <BaseMenu.Popup className={classNames(popupClasses, 'min-w-44')}>{children}</BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

interface MenuItemProps {
  icon?: ReactNode;
  children: ReactNode;
  onSelect: () => void;
  isDangerous?: boolean;
}

export function MenuItem({ icon, children, onSelect, isDangerous = false }: MenuItemProps) {
  return (
    <BaseMenu.Item onClick={onSelect} className={classNames(popupItemClasses, isDangerous && 'text-danger')}>
      {icon !== undefined && <span className={isDangerous ? undefined : 'text-faint'}>{icon}</span>}
      {children}
    </BaseMenu.Item>
  );
}

/** A line that leads to another page; `render` is the link. */
export function MenuLink({ icon, children, render }: { icon?: ReactNode; children: ReactNode; render: ReactElement }) {
  return (
    <BaseMenu.LinkItem closeOnClick render={render} className={popupItemClasses}>
      {icon !== undefined && <span className="text-faint">{icon}</span>}
      {children}
    </BaseMenu.LinkItem>
  );
}

export function MenuSeparator() {
  return <BaseMenu.Separator className="-mx-1 my-1 h-px bg-line" />;
}

/** Words at the head of a menu that cannot be chosen. */
export function MenuNote({ children }: { children: ReactNode }) {
  return <div className="px-2.5 pt-1.5 pb-1 text-faint text-xs">{children}</div>;
}

interface MenuChoiceProps<Choice extends string> {
  label: string;
  value: Choice;
  options: { value: Choice; label: string; icon?: ReactNode }[];
  onChange: (value: Choice) => void;
}

/** One of several, marked with a tick. */
export function MenuChoice<Choice extends string>({ label, value, options, onChange }: MenuChoiceProps<Choice>) {
  return (
    <BaseMenu.RadioGroup value={value} onValueChange={onChange} aria-label={label}>
      {options.map((option) => (
        <BaseMenu.RadioItem key={option.value} value={option.value} closeOnClick className={popupItemClasses}>
          {option.icon !== undefined && <span className="text-faint">{option.icon}</span>}
          <span className="flex-1">{option.label}</span>
          <BaseMenu.RadioItemIndicator>
            <Check aria-hidden className="size-3.5 text-lamp" />
          </BaseMenu.RadioItemIndicator>
        </BaseMenu.RadioItem>
      ))}
    </BaseMenu.RadioGroup>
  );
}
