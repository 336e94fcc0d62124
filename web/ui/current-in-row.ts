import { useEffect, useRef } from 'react';

/**
 * Scrolls an overflowing row or column to the element that matches `selector` whenever `current`, which names that
 * element, changes. Returns the ref to set on the row.
 */
export function useCurrentInRow<Row extends HTMLElement>(current: string, selector: string) {
  const list = useRef<Row>(null);
  // The browser keeps the scroll position, not React.
  useEffect(() => {
    // In an animation frame, where layout happens anyway.
    const frame = requestAnimationFrame(() => {
      const row = list.current;
      const part = current && row?.querySelector(selector);
      if (!row || !part) return;
      const { left, width, top, height } = part.getBoundingClientRect();
      const room = row.getBoundingClientRect();
      row.scrollLeft += left + width / 2 - room.left - row.clientWidth / 2;
      row.scrollTop += top + height / 2 - room.top - row.clientHeight / 2;
    });
    return () => cancelAnimationFrame(frame);
  }, [current, selector]);
  return list;
}
