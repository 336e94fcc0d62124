/**
 * Attributes of a form on a page that is shown before the program runs. Outside a dialog its method lets the browser send nothing:
 * sent early, any other form leads to its own address, without what was typed and without the query.
 */
export const stayingForm = { method: 'dialog', noValidate: true } as const;
