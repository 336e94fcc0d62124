/** Between the id of an element, which may be empty, and a text behind it: https://wicg.github.io/scroll-to-text-fragment/. */
export const textDirective = ':~:text=';

/** Leads to a text behind an element, as it stands behind `#` in an address: escaped, so that browsers look for it as it is. */
export function textAnchor(id: string, text: string): string {
  return `${id}${textDirective}${encodeURIComponent(text).replace(/^-|-$/g, '%2D')}`;
}

/** An anchor without the escapes in its text; one whose text cannot be read is left as it is. */
export function plainAnchor(anchor: string): string {
  const at = anchor.indexOf(textDirective);
  if (at < 0) return anchor;
  try {
    return anchor.slice(0, at) + textDirective + decodeURIComponent(anchor.slice(at + textDirective.length));
  } catch {
    return anchor;
  }
}

/** A plain anchor as it stands behind `#` in an address. */
export function encodedAnchor(anchor: string): string {
  const at = anchor.indexOf(textDirective);
  if (at < 0) return encodeURIComponent(anchor);
  return textAnchor(encodeURIComponent(anchor.slice(0, at)), anchor.slice(at + textDirective.length));
}
