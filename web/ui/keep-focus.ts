const removalMsMax = 10_000;

/** What opened the dialog may go with the thing it removes: the focus then moves to the part of the page around it. */
export function keepFocusNearby(): void {
  let around: HTMLElement[] = [];
  const look = () => {
    const { activeElement, body } = document;
    const isLost = activeElement === null || activeElement === body;
    if (document.querySelector('[role="alertdialog"]') !== null) return;
    if (isLost) focusFirst([...around, ...document.querySelectorAll<HTMLElement>('main')]);
    else around = partsAround(activeElement);
  };
  const observer = new MutationObserver(look);
  observer.observe(document.body, { childList: true, subtree: true });
  document.addEventListener('focusin', look);
  setTimeout(() => {
    observer.disconnect();
    document.removeEventListener('focusin', look);
  }, removalMsMax);
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
