/** Thrown where a page leaves the ways walked here; always the same, as making one costs more than a small page. */
export const leave = new Error('this page is for the full parser');
