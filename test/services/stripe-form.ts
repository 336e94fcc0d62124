/** A parsed form with Stripe's nesting: `items[0][price]=x` is `{items: [{price: 'x'}]}`. */
export type Form = { [name: string]: string | Form | undefined };

export function parseForm(fields: URLSearchParams): Form {
  const form: Form = {};
  for (const [name, value] of fields) {
    const path = name.split('[').map((part) => part.replace(/\]$/, ''));
    let place = form;
    for (const part of path.slice(0, -1)) {
      const inner = place[part];
      place = typeof inner === 'object' ? inner : (place[part] = {});
    }
    place[path.at(-1) ?? ''] = value;
  }
  return form;
}

/** Returns the text at a path; undefined if there is none. */
export function textAt(form: Form, ...path: string[]): string | undefined {
  let place: string | Form | undefined = form;
  for (const part of path) place = typeof place === 'object' ? place[part] : undefined;
  return typeof place === 'string' ? place : undefined;
}
