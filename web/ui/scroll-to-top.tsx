import { ScrollRestoration } from 'react-router';
import { useStoredChoice } from './stored-choice.ts';

const choices = ['on', 'off'] as const;
export type ScrollToTopChoice = (typeof choices)[number];

/** Returns true if going to another page begins at its top. A setting of this browser; on until someone turns it off. */
export function useScrollToTop(): [ScrollToTopChoice, (choice: ScrollToTopChoice) => void] {
  return useStoredChoice<ScrollToTopChoice>('scroll-to-top', choices);
}

/** Puts each new page at its top and each page one goes back to where it was left; turned off, it does neither. */
export function ScrollToTop() {
  const [choice] = useScrollToTop();
  return choice === 'on' ? <ScrollRestoration /> : null;
}
