import * as limits from '#contract/limits.ts';

/** The opening texts of some screens, by path. They are also in the document (`web/features/shell/openings.tsx`). */
export const openings = {
  '/dashboard': {
    title: 'Dashboard',
    text: `What your agents searched, saved and spent in the last ${limits.usageDaysDefault} days.`,
  },
  '/search': {
    title: 'See what your agent sees',
    text: 'An agent receives the same passages, order and tokens for the same query.',
  },
};
