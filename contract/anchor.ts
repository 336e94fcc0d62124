/**
 * Separates an element's id, which may be empty, from the text to find:
 * https://wicg.github.io/scroll-to-text-fragment/.
 */
export const textDirective = ':~:text=';

/**
 * Returns a fragment (without `#`) that links to text after an element, escaped so that browsers search for it
 * literally.
 */
export function textAnchor(id: string, text: string): string {
  return `${id}${textDirective}${encodeURIComponent(text).replace(/^-|-$/g, '%2D')}`;
}

/** Returns an anchor with its text unescaped. An anchor whose text cannot be decoded is returned as it is. */
export function plainAnchor(anchor: string): string {
  const at = anchor.indexOf(textDirective);
  if (at < 0) return anchor;
  try {
    return anchor.slice(0, at) + textDirective + decodeURIComponent(anchor.slice(at + textDirective.length));
  } catch {
    return anchor;
  }
}

/** Returns a plain anchor escaped for use after `#` in an address. */
export function encodedAnchor(anchor: string): string {
  const at = anchor.indexOf(textDirective);
  if (at < 0) return encodeURIComponent(anchor);
  return textAnchor(encodeURIComponent(anchor.slice(0, at)), anchor.slice(at + textDirective.length));
}
