import { decodeHTMLStrict } from 'entities';

/** Spaces of any width become one space; characters that only affect line breaks are removed. */
const layout = /[\u00a0\u2002\u2003\u2009]|[\u00ad\u200c]/g;

/** Returns a character reference's character, escaped if it is special in Markdown. */
export function markdownOfReference(reference: string): string {
  const char = decodeEntities(reference);
  return /^[<*_`[\]]$/.test(char) ? `\\${char}` : char;
}

/** Replaces HTML's character references with their characters. Names must end with a semicolon; unknown ones stay. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&#?\w{1,32};/g, (reference) =>
    decodeHTMLStrict(reference).replace(layout, (character) => (/[\u00ad\u200c]/.test(character) ? '' : ' ')),
  );
}
