import { Check, type LucideIcon } from 'lucide-react';
import {
  cloneElement,
  createContext,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  use,
  useId,
  useState,
} from 'react';
import { classNames } from './class-names.ts';
import { popupClasses, popupItemClasses } from './popup-classes.ts';
import { rove, useSheet } from './sheet.ts';

interface MenuProps {
  /** The button that opens the menu. */
  trigger: ReactElement<Record<string, unknown>>;
  children: ReactNode;
  isOpenAtFirst?: boolean;
}

const items = '[role^=menuitem]';
const Close = createContext<() => void>(() => undefined);

export function Menu({ trigger, children, isOpenAtFirst = false }: MenuProps) {
  const [isOpen, setIsOpen] = useState(isOpenAtFirst);
  const close = () => setIsOpen(false);
  const triggerId = useId();
  const { triggerProps, sheetProps } = useSheet({
    isOpen,
    onOpenChange: setIsOpen,
    role: 'menu',
    align: 'end',
    focusFirst: items,
  });
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    // The focus continues from the button.
    if (event.key === 'Tab') close();
    // Links react only to Enter; menu items also to Space.
    if (event.key === ' ' && event.target instanceof HTMLAnchorElement) {
      event.preventDefault();
      event.target.click();
    }
    rove(event, items);
  };
  return (
    <>
      {cloneElement(trigger, {
        id: triggerId,
        ...triggerProps,
        onKeyDown: (event: KeyboardEvent) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          setIsOpen(true);
        },
      })}
      <div
        {...sheetProps}
        aria-labelledby={triggerId}
        onKeyDown={onKeyDown}
        className={classNames(popupClasses, 'max-h-[var(--available-height)] min-w-44 overflow-y-auto')}
      >
        <Close value={close}>{isOpen && children}</Close>
      </div>
    </>
  );
}

interface MenuItemProps {
  icon: LucideIcon;
  label: string;
  onSelect: () => void;
  isDangerous?: boolean;
}

export function MenuItem({ icon: Icon, label, onSelect, isDangerous = false }: MenuItemProps) {
  const close = use(Close);
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      onClick={() => {
        close();
        onSelect();
      }}
      className={classNames(popupItemClasses, isDangerous && 'text-danger')}
    >
      <span className={isDangerous ? undefined : 'text-faint'}>
        <Icon aria-hidden className="size-4" />
      </span>
      {label}
    </button>
  );
}

interface MenuLinkProps {
  icon?: ReactNode;
  children: ReactNode;
  render: ReactElement<Record<string, unknown>>;
}

/** A menu item that links to another page. */
export function MenuLink({ icon, children, render }: MenuLinkProps) {
  const close = use(Close);
  return cloneElement(
    render,
    { role: 'menuitem', tabIndex: -1, className: popupItemClasses, onClick: close },
    icon !== undefined && <span className="text-faint">{icon}</span>,
    children,
  );
}

export function MenuSeparator() {
  return <hr className="-mx-1 my-1 h-px border-0 bg-line" />;
}

/** Text at the top of a menu; not selectable. */
export function MenuNote({ children }: { children: ReactNode }) {
  return <div className="px-2.5 pt-1.5 pb-1 text-faint text-xs">{children}</div>;
}

interface MenuChoiceProps<Choice extends string> {
  label: string;
  value: Choice;
  options: { value: Choice; label: string; icon?: ReactNode }[];
  onChange: (value: Choice) => void;
}

/** Radio items; the selected one is ticked. */
export function MenuChoice<Choice extends string>({ label, value, options, onChange }: MenuChoiceProps<Choice>) {
  const close = use(Close);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a menu must not contain a fieldset
    <div role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          role="menuitemradio"
          aria-checked={option.value === value}
          tabIndex={-1}
          onClick={() => {
            close();
            onChange(option.value);
          }}
          className={popupItemClasses}
        >
          {option.icon !== undefined && <span className="text-faint">{option.icon}</span>}
          <span className="flex-1">{option.label}</span>
          {option.value === value && <Check aria-hidden className="size-3.5 text-lamp" />}
        </button>
      ))}
    </div>
  );
}
