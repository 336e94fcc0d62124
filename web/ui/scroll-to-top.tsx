import { ScrollRestoration } from 'react-router';
import { useStoredChoice } from './stored-choice.ts';

const choices = ['on', 'off'] as const;
export type ScrollToTopChoice = (typeof choices)[number];

/** Returns the setting of this browser that scrolls each opened page to its top; on by default. */
export function useScrollToTop(): [ScrollToTopChoice, (choice: ScrollToTopChoice) => void] {
  return useStoredChoice<ScrollToTopChoice>('scroll-to-top', choices);
}

/** Scrolls new pages to the top, and restores the position on Back and Forward; does neither if turned off. */
export function ScrollToTop() {
  const [choice] = useScrollToTop();
  return choice === 'on' ? <ScrollRestoration /> : null;
}
