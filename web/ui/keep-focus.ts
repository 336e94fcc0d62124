/** The browser and dialogs that close move the focus first. */
const settleMs = 60;
const openersMax = 4;

/**
 * Finds the focus a place when the element that had it is removed, such as a form or a row: the button that opened it if
 * it is back, else the part of the page around it. Returns what stops it.
 */
export function keepFocusNearby(): () => void {
  let focused: HTMLElement | undefined;
  let around: HTMLElement[] = [];
  let pressed: HTMLElement[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const note = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement)) return;
    focused = target;
    const parts = partsAround(target);
    // Dialogs and menus stand at the end of the page.
    if (parts.length === 0) return;
    around = parts;
    if (target.localName === 'button') pressed = [target, ...pressed].slice(0, openersMax);
  };
  const place = () => {
    const { activeElement, body } = document;
    const isLost = activeElement === null || activeElement === body;
    if (!isLost || focused?.isConnected !== false) return;
    // A dialog over the page hides it.
    if (document.querySelector('[aria-hidden="true"] main, [inert] main') !== null) return;
    focused = undefined;
    const buttons = [...document.querySelectorAll<HTMLElement>('main button')];
    const opener = pressed
      .filter(({ isConnected }) => !isConnected)
      .map((gone) => buttons.find((button) => nameOf(button) === nameOf(gone)))
      .find((button) => button !== undefined);
    pressed = [];
    if (opener) opener.focus();
    else focusFirst([...around, ...document.querySelectorAll<HTMLElement>('main')]);
  };
  const observer = new MutationObserver(() => {
    if (focused?.isConnected !== false) return;
    clearTimeout(timer);
    timer = setTimeout(place, settleMs);
  });
  observer.observe(document.body, { childList: true, subtree: true });
  document.addEventListener('focusin', note);
  return () => {
    clearTimeout(timer);
    observer.disconnect();
    document.removeEventListener('focusin', note);
  };
}

function nameOf(button: HTMLElement): string {
  return button.ariaLabel ?? button.textContent;
}

function partsAround(element: Element): HTMLElement[] {
  const part = element.parentElement?.closest<HTMLElement>('section, [role="tabpanel"], main');
  return part ? [part, ...partsAround(part)] : [];
}

function focusFirst(parts: HTMLElement[]): void {
  const part = parts.find(({ isConnected }) => isConnected);
  if (part === undefined) return;
  if (!part.hasAttribute('tabindex')) part.tabIndex = -1;
  part.classList.add('outline-none');
  part.focus({ preventScroll: true });
}
