import { useEffect, useRef } from 'react';

/**
 * For a row or a column that may be longer than its room: scrolls it to the part that matches `selector` whenever `current`, which
 * names that part, changes. Answers the reference that it takes.
 */
export function useCurrentInRow<Row extends HTMLElement>(current: string, selector: string) {
  const list = useRef<Row>(null);
  // How far the row is scrolled is the browser's, not React's.
  useEffect(() => {
    // With the frame that lays the page out anyway.
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
