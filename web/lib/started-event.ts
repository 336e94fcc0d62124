/** Fired once the page's scripts respond: earlier clicks are then replayed (`scripts/start-of-pages.ts`). */
export const startedEvent = 'page-started';
