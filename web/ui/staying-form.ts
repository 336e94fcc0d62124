/**
 * Attributes of a form on a prerendered page. Outside a dialog, this method makes the browser submit nothing before the script runs;
 * any other would reload the page without the text and the query. It is sent once the script runs (`scripts/start-of-pages.ts`).
 */
export const stayingForm = { method: 'dialog', noValidate: true } as const;
