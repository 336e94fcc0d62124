/** What a test fails with when the tab it looks at is alive but no longer drawn: a fault of the browser, not of the page. */
export const browserDrawsNothing = 'the browser no longer draws this tab';
