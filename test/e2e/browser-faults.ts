/** Error of a test whose tab is alive but no longer drawn: a fault of the browser, not of the page. */
export const browserDrawsNothing = 'the browser no longer draws this tab';
