import { decodeHTMLStrict } from 'entities';

/** Spaces of any width are one space here, and characters that only advise where to break a line are nothing. */
const layout = /[\u00a0\u2002\u2003\u2009]|[\u00ad\u200c]/g;

/** Returns what a character reference stands for, escaped where Markdown would read it. */
export function markdownOfReference(reference: string): string {
  const char = decodeEntities(reference);
  return /^[<*_`[\]]$/.test(char) ? `\\${char}` : char;
}

/** Returns the text with HTML's character references as characters. Names must end with a semicolon; unknown ones stay. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&#?\w{1,32};/g, (reference) =>
    decodeHTMLStrict(reference).replace(layout, (character) => (/[\u00ad\u200c]/.test(character) ? '' : ' ')),
  );
}
