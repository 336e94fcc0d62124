/** Told once the page's scripts answer: what was pressed before is then done (`scripts/start-of-pages.ts`). */
export const startedEvent = 'page-started';
