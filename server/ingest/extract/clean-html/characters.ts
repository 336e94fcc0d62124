export const lessThan = 60;
export const greaterThan = 62;
export const slash = 47;
export const bang = 33;
export const question = 63;
export const equals = 61;
export const doubleQuote = 34;
export const singleQuote = 39;
export const newline = 10;

export function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

export function isSpace(code: number): boolean {
  return code === 32 || code === newline || code === 9 || code === 12;
}

export function isBlank(text: string): boolean {
  return !/[^\t\n\f ]/.test(text);
}

/** Lower-cases ASCII only, as the HTML standard requires. */
export function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/**
 * Thrown for pages that need the full parser. A single instance, because creating an error costs more than parsing a
 * small page.
 */
export const leave = new Error('this page is for the full parser');

/** Names of the characters 160 to 255, in order. */
const latin =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';

const references = new Map<string, string>([
  ...latin.split(' ').map((name, at): [string, string] => [name, String.fromCharCode(160 + at)]),
  ...Object.entries({
    ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", trade: '™' },
    ...{ mdash: '—', ndash: '–', hellip: '…', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”' },
    ...{ rarr: '→', larr: '←', uarr: '↑', darr: '↓', bull: '•' },
    ...{ le: '≤', ge: '≥', ne: '≠', minus: '−', thinsp: '\u2009', zwnj: '\u200c' },
  }),
]);

const reference = /&(?:#(?:[xX]([0-9a-fA-F]+)|([0-9]+));?|([a-zA-Z][a-zA-Z0-9]*)(;?)|(#))/g;
/** References that may lack the semicolon. */
const legacyNames = new Set([...latin.split(' '), 'amp', 'lt', 'gt', 'quot']);

/** Decodes common character references; throws `leave` for any other. */
export function decode(text: string, isValue = false): string {
  return text.replace(
    reference,
    (
      written: string,
      hex: string | undefined,
      decimal: string | undefined,
      name: string | undefined,
      semicolon: string | undefined,
      _lone: string | undefined,
      at: number,
    ) => {
      if (name !== undefined)
        return named(name, { written, isClosed: semicolon === ';', isValue, next: text[at + written.length] });
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      // The standard maps the other code points to different characters or rejects them.
      const isPlain = (code >= 32 && code < 127) || (code >= 160 && code < 0xd800) || (code >= 0xe000 && code < 0xfdd0);
      if (!isPlain && code !== 9 && code !== newline) throw leave;
      return String.fromCodePoint(code);
    },
  );
}

function named(
  name: string,
  place: { written: string; isClosed: boolean; isValue: boolean; next: string | undefined },
): string {
  const character = references.get(name);
  if (place.isClosed) {
    if (character === undefined) throw leave;
    return character;
  }
  const isLegacy = legacyNames.has(name);
  // In a query string, `?a=1&copy=2` and `?a&b` are literal.
  if (place.isValue && (!isLegacy || place.next === '=')) return place.written;
  if (!isLegacy || character === undefined) throw leave;
  return character;
}
