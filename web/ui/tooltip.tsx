import { cloneElement, type ReactElement, useEffect } from 'react';
import { placeBeside } from './sheet.ts';

interface TooltipProps {
  content: string;
  /** A focusable element; the tip never holds what cannot be had without it. */
  children: ReactElement<Record<string, unknown>>;
}

/** A few words about an element, beside it while it is pointed at or has the focus of the keyboard. */
export function Tooltip({ content, children }: TooltipProps) {
  useEffect(watchTips, []);
  return cloneElement(children, { 'data-tip': content });
}

const delayMs = { show: 300, hide: 120 };

let tip: HTMLElement | undefined;
/** What the tip that is shown is about. */
let tipped: HTMLElement | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** One element shows the tips of the whole page, one at a time. */
function watchTips(): void {
  if (tip !== undefined) return;
  tip = document.createElement('div');
  tip.role = 'tooltip';
  tip.popover = 'manual';
  tip.className =
    'inset-auto m-0 max-w-64 rounded-sm bg-action px-2 py-1 text-on-action text-xs shadow-md transition-opacity duration-100 starting:opacity-0';
  document.body.append(tip);
  const withTip = ({ target }: Event) => (target instanceof Element ? target.closest<HTMLElement>('[data-tip]') : null);
  document.addEventListener('pointerover', (event) => {
    if (event.pointerType === 'touch') return;
    const pointed = withTip(event);
    clearTimeout(timer);
    // A reader may point at the tip itself.
    if (event.target === tip) return;
    timer = setTimeout(() => show(pointed), pointed ? delayMs.show : delayMs.hide);
  });
  document.addEventListener('focusin', (event) => {
    const focused = withTip(event);
    if (focused === event.target && focused?.matches(':focus-visible')) show(focused);
  });
  document.addEventListener('focusout', hide);
  document.addEventListener('pointerdown', hide);
  // The key that leads to an element scrolls to it as well.
  const onScroll = () => (tipped?.matches(':focus-visible') ? place(tipped) : hide());
  document.addEventListener('scroll', onScroll, { capture: true });
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && hide());
}

function show(element: HTMLElement | null): void {
  hide();
  const content = element?.dataset['tip'];
  if (!tip || !element?.isConnected || content === undefined) return;
  tip.textContent = content;
  tip.showPopover();
  tipped = element;
  place(element);
}

function place(element: HTMLElement): void {
  if (tip) placeBeside(tip, element, { side: 'top', align: 'center' });
}

function hide(): void {
  clearTimeout(timer);
  tipped = undefined;
  if (tip?.matches(':popover-open')) tip.hidePopover();
}
