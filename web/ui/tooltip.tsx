import { cloneElement, type ReactElement, useEffect } from 'react';
import { placeBeside } from './sheet.ts';

interface TooltipProps {
  content: string;
  /** A focusable element. A tooltip must not contain the only copy of any information. */
  children: ReactElement<Record<string, unknown>>;
}

/** A short text beside an element while it is hovered or has keyboard focus. */
export function Tooltip({ content, children }: TooltipProps) {
  useEffect(watchTips, []);
  return cloneElement(children, { 'data-tip': content });
}

const delayMs = { show: 300, hide: 120 };

let tip: HTMLElement | undefined;
/** The element whose tooltip is shown. */
let tipped: HTMLElement | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows the whole page's tooltips with a single element, one at a time. */
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
    // The user may hover over the tooltip itself.
    if (event.target === tip) return;
    timer = setTimeout(() => show(pointed), pointed ? delayMs.show : delayMs.hide);
  });
  document.addEventListener('focusin', (event) => {
    const focused = withTip(event);
    if (focused === event.target && focused?.matches(':focus-visible')) show(focused);
  });
  document.addEventListener('focusout', hide);
  document.addEventListener('pointerdown', hide);
  // Focusing an element by keyboard may also scroll to it.
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
