import { type RefObject, useCallback, useEffect, useLayoutEffect, useState } from 'react';

/** Within this of the end counts as being there. */
const nearPx = 80;

/**
 * Keeps the end of a growing page in sight, unless its reader has scrolled away from it; coming back to the end takes
 * it up again. `watched` changes with what grows.
 */
export function useFollowBottom(
  endRef: RefObject<HTMLElement | null>,
  watched: unknown,
): { isAway: boolean; toEnd: () => void } {
  const [isAway, setIsAway] = useState(false);
  const toEnd = useCallback(() => {
    endRef.current?.scrollIntoView({ block: 'end' });
    setIsAway(false);
  }, [endRef]);

  useEffect(() => {
    let lastY = window.scrollY;
    const onScroll = () => {
      const end = endRef.current?.getBoundingClientRect().bottom ?? 0;
      const isNear = end <= window.innerHeight + nearPx;
      const isUpward = window.scrollY < lastY - 1;
      lastY = window.scrollY;
      // Growing alone moves the end away too: only the person who scrolls up goes away from it.
      setIsAway((was) => (isNear ? false : was || isUpward));
    };
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => window.removeEventListener('scroll', onScroll);
  }, [endRef]);

  // oxlint-disable-next-line react-hooks/exhaustive-deps -- what is watched is what moves the end
  useLayoutEffect(() => {
    const end = endRef.current;
    if (end === null || isAway) return;
    if (end.getBoundingClientRect().bottom > window.innerHeight) end.scrollIntoView({ block: 'end' });
  }, [endRef, isAway, watched]);

  return { isAway, toEnd };
}
