/** Time for the browser and closing dialogs to move the focus first. */
const settleMs = 60;
const openersMax = 4;

/**
 * Moves the focus when the focused element, such as a form or a row, is removed: to a link with the same target, to the
 * first row that "Show more" added, to the button that opened the form if it exists again, to the element's replacement
 * in the row, to the same control in the next row, or else to the heading of the surrounding section. Returns a function
 * that stops it.
 */
export function keepFocusNearby(): () => void {
  let focused: HTMLElement | undefined;
  let rowBefore: Element | undefined;
  let around: HTMLElement[] = [];
  let row: PlaceInList | undefined;
  let pressed: HTMLElement[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const note = ({ target }: Pick<FocusEvent, 'target'>) => {
    if (!(target instanceof HTMLElement)) return;
    focused = target;
    rowBefore = target.localName === 'button' ? rowBeforeButton(target) : undefined;
    const parts = partsAround(target);
    const place = placeInList(target);
    // A dialog or menu concerns the row in which it was opened.
    if (place || !target.closest('dialog, [popover]')) row = place;
    if (parts.length === 0) return;
    around = parts;
    if (target.localName === 'button') pressed = [target, ...pressed].slice(0, openersMax);
  };
  const place = () => {
    const { activeElement, body } = document;
    const isLost = activeElement === null || activeElement === body;
    if (!isLost || focused?.isConnected !== false) return;
    const same = sameLink(focused) ?? firstRowAfter(rowBefore);
    if (same && !isBehindDialog(same)) return same.focus();
    // A button in the row opened the form in it.
    const inRow = pressed.find(
      (button) => row?.element.contains(button) === true && button.matches(':enabled') && button.checkVisibility(),
    );
    const inNextRow = inRow ?? (row && controlOfNextRow(row));
    if (inNextRow && row?.element.isConnected === false && !isBehindDialog(inNextRow)) {
      focused = undefined;
      return inNextRow.focus();
    }
    if (document.querySelector('dialog:modal')) return;
    focused = undefined;
    const buttons = [...document.querySelectorAll<HTMLElement>('main button')];
    const opener = pressed
      .filter(({ isConnected }) => !isConnected)
      .map((gone) => buttons.find((button) => nameOf(button) === nameOf(gone)))
      .find((button) => button !== undefined);
    pressed = [];
    const control = inRow ?? opener ?? (row && controlOfRow(row.element, row.fromEnd)) ?? inNextRow;
    if (control) control.focus();
    else focusFirst([...around, ...document.querySelectorAll<HTMLElement>('main')]);
  };
  const observer = new MutationObserver(() => {
    if (focused?.isConnected !== false) return;
    clearTimeout(timer);
    timer = setTimeout(place, settleMs);
  });
  observer.observe(document.body, { childList: true, subtree: true });
  // An element may already have the focus.
  note({ target: document.activeElement });
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

/** Finds the link that replaces a removed one. */
function sameLink(gone: HTMLElement): HTMLElement | undefined {
  if (!(gone instanceof HTMLAnchorElement)) return undefined;
  return [...document.querySelectorAll<HTMLAnchorElement>('main a')].find(
    (link) => link.href === gone.href && nameOf(link) === nameOf(gone),
  );
}

/** Returns the last row above a button, after which the button may add rows. */
function rowBeforeButton(button: Element): Element | undefined {
  if (button.closest(rows) !== null) return undefined;
  const above = partsAround(button)[0]?.querySelectorAll(rows) ?? [];
  return [...above].findLast((row) => row.compareDocumentPosition(button) & Node.DOCUMENT_POSITION_FOLLOWING);
}

function firstRowAfter(row: Element | undefined): HTMLElement | undefined {
  const next = row?.isConnected ? row.nextElementSibling : undefined;
  return next?.matches(rows) ? controlsOf(next)[0] : undefined;
}

function partsAround(element: Element): HTMLElement[] {
  const part = element.parentElement?.closest<HTMLElement>('section, [role="tabpanel"], main');
  return part ? [part, ...partsAround(part)] : [];
}

function isBehindDialog(element: Element): boolean {
  const open = [...document.querySelectorAll('dialog:modal')].at(-1);
  return open?.contains(element) === false;
}

interface PlaceInList {
  element: Element;
  /** The following rows, then the preceding ones, nearest first. */
  others: Element[];
  /** Position of the focused control in its row, counted from the end. */
  fromEnd: number;
}

const rows = 'tbody > tr, li, [data-row]';

function placeInList(target: HTMLElement): PlaceInList | undefined {
  const element = target.closest(rows);
  const all = [...(element?.parentElement?.children ?? [])];
  if (element === null) return undefined;
  const at = all.indexOf(element);
  const others = [...all.slice(at + 1), ...all.slice(0, at).reverse()].filter((other) => other.matches(rows));
  return { element, others, fromEnd: controlsOf(element).toReversed().indexOf(target) };
}

function controlOfNextRow({ others, fromEnd }: PlaceInList): HTMLElement | undefined {
  const next = others.find((other) => other.isConnected && controlsOf(other).length > 0);
  return next && controlOfRow(next, fromEnd);
}

function controlOfRow(row: Element, fromEnd: number): HTMLElement | undefined {
  const controls = controlsOf(row);
  return controls.at(-1 - fromEnd) ?? controls.at(-1);
}

function controlsOf(row: Element): HTMLElement[] {
  const controls = row.querySelectorAll<HTMLElement>('a[href], button:enabled, input:enabled');
  return [...controls].filter((control) => control.checkVisibility());
}

function focusFirst(parts: HTMLElement[]): void {
  const around = parts.find(({ isConnected }) => isConnected);
  if (around === undefined) return;
  const label = around.getAttribute('aria-labelledby');
  const heading = label === null ? around.querySelector('h1') : document.getElementById(label);
  const part = heading instanceof HTMLHeadingElement ? heading : around;
  if (!part.hasAttribute('tabindex')) part.tabIndex = -1;
  part.classList.add('outline-none');
  part.focus({ preventScroll: true });
}
