import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useRef } from 'react';

interface Place {
  side?: 'top' | 'bottom';
  align?: 'start' | 'center' | 'end';
}

const gap = 6;
/** Minimum distance from the window's edges, in pixels. */
const edge = 12;

/** Positions an element of the top layer beside its anchor, on the side with enough space, within the window. */
export function placeBeside(sheet: HTMLElement, anchor: Element, { side = 'bottom', align = 'start' }: Place): void {
  const { left, right, top, bottom, width } = anchor.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const room = { top: top - gap - edge, bottom: clientHeight - bottom - gap - edge };
  const { style } = sheet;
  style.setProperty('--anchor-width', `${width}px`);
  style.setProperty('--available-width', `${clientWidth - 2 * edge}px`);
  style.setProperty('--available-height', `${Math.max(room.top, room.bottom)}px`);
  const other = side === 'bottom' ? 'top' : 'bottom';
  const shown = sheet.offsetHeight > room[side] && room[other] > room[side] ? other : side;
  style.setProperty('--available-height', `${room[shown]}px`);
  const { offsetWidth, offsetHeight } = sheet;
  const wanted = { start: left, center: (left + right - offsetWidth) / 2, end: right - offsetWidth }[align];
  style.left = `${Math.max(edge, Math.min(wanted, clientWidth - edge - offsetWidth))}px`;
  style.top = `${shown === 'bottom' ? bottom + gap : top - gap - offsetHeight}px`;
}

/**
 * Positions the element, and repositions it when the page or window moves, for example when an address bar slides away.
 * Returns a function that stops it.
 */
export function keepBeside(sheet: HTMLElement, anchor: Element, place: Place): () => void {
  const again = (event?: Event) => {
    // Scrolling inside the sheet does not move it.
    if (!(event?.target instanceof Node && sheet.contains(event.target))) placeBeside(sheet, anchor, place);
  };
  again();
  window.addEventListener('resize', again);
  document.addEventListener('scroll', again, { capture: true });
  return () => {
    window.removeEventListener('resize', again);
    document.removeEventListener('scroll', again, { capture: true });
  };
}

interface SheetOptions {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  role: 'menu' | 'listbox' | 'dialog';
  align?: 'start' | 'end';
  /** Selector of the element with the initial focus; defaults to the sheet itself. */
  focusFirst?: string;
}

/**
 * A native popover that a button opens: a click elsewhere or Escape closes it, and the focus returns to the button.
 * Returns the props of the button and the popover.
 */
export function useSheet({ isOpen, onOpenChange, role, align = 'start', focusFirst }: SheetOptions) {
  const id = useId();
  const trigger: RefObject<HTMLButtonElement | null> = useRef(null);
  const sheet: RefObject<HTMLDivElement | null> = useRef(null);
  const change = useRef(onOpenChange);
  useLayoutEffect(() => {
    change.current = onOpenChange;
  });
  useLayoutEffect(() => {
    const [shown, anchor] = [sheet.current, trigger.current];
    if (!isOpen || !shown || !anchor) return undefined;
    let isClosing = false;
    const onToggle = ({ newState }: ToggleEvent) => {
      isClosing = newState === 'closed';
      if (isClosing) change.current(false);
    };
    shown.showPopover();
    const letGo = keepBeside(shown, anchor, { align });
    const wanted = focusFirst === undefined ? [] : [...shown.querySelectorAll<HTMLElement>(focusFirst)];
    const first = wanted.find((one) => one.checkVisibility());
    (first ?? shown).focus({ preventScroll: first === undefined });
    // `toggle` fires only after the button has the focus again and may have been clicked.
    shown.addEventListener('beforetoggle', onToggle);
    return () => {
      shown.removeEventListener('beforetoggle', onToggle);
      letGo();
      const hadFocus = shown.contains(document.activeElement);
      // Hiding a popover while it is already hiding causes a browser warning.
      if (!isClosing && shown.matches(':popover-open')) shown.hidePopover();
      if (hadFocus || document.activeElement === document.body) anchor.focus({ preventScroll: true });
    };
  }, [isOpen, align, focusFirst]);
  return {
    triggerProps: {
      ref: trigger,
      popoverTarget: id,
      'aria-haspopup': role,
      'aria-expanded': isOpen,
      onClick: (event: { preventDefault(): void }) => {
        // The browser would show the popover before it has content.
        event.preventDefault();
        onOpenChange(!isOpen);
      },
    },
    sheetProps: {
      ref: sheet,
      id,
      role,
      popover: 'auto' as const,
      tabIndex: -1,
    },
  };
}

const typed = { text: '', at: 0 };
const typingPauseMs = 600;

/** Moves the focus through a list with arrow keys, Home, End, and an item's first letters. */
export function rove(event: KeyboardEvent<HTMLElement>, selector: string, key = event.key): void {
  const { currentTarget } = event;
  const items = [...currentTarget.querySelectorAll<HTMLElement>(selector)].filter((item) => item.checkVisibility());
  const at = items.findIndex((item) => item === document.activeElement);
  const places: Record<string, number> = { ArrowDown: at + 1, ArrowUp: Math.max(at, 0) - 1, Home: 0, End: -1 };
  const to = places[key];
  // Key combinations are left to the browser.
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const isText = key.length === 1 && key !== ' ';
  if (to === undefined && !isText) return;
  event.preventDefault();
  const next = to === undefined ? startingWith(items, at, key) : items.at(to % items.length);
  next?.focus();
}

function startingWith(items: HTMLElement[], at: number, key: string): HTMLElement | undefined {
  const now = performance.now();
  typed.text = now - typed.at > typingPauseMs ? key : typed.text + key;
  typed.at = now;
  const begins = typed.text.length === 1 ? at + 1 : Math.max(at, 0);
  const fromHere = [...items.slice(begins), ...items.slice(0, begins)];
  return fromHere.find((item) => item.textContent.trim().toLowerCase().startsWith(typed.text.toLowerCase()));
}
