/** An HTML or JSX tag in Markdown. */
export interface Tag {
  name: string;
  isClosing: boolean;
  isSelfClosing: boolean;
  /** Text between the name and the closing bracket. */
  attributes: string;
  /** Position after the tag. */
  end: number;
}

/** Longer text is not a tag; bounds the search for the end in text full of brackets. */
const tagCharsMax = 2000;

/** Returns the tag that starts at `at` (a `<`), or undefined. Ignores brackets inside quotes and braces. */
export function tagAt(text: string, at: number): Tag | undefined {
  const isClosing = text[at + 1] === '/';
  let nameEnd = at + (isClosing ? 2 : 1);
  const nameStart = nameEnd;
  if (text[nameEnd] !== '>' && !isLetter(text.charCodeAt(nameEnd))) return undefined;
  while (isNameChar(text.charCodeAt(nameEnd))) nameEnd++;
  const after = text.charCodeAt(nameEnd);
  if (!(after === 62 || after === 47 || after === 32 || (after >= 9 && after <= 13))) return undefined;
  const close = tagEnd(text, nameEnd);
  if (close < 0) return undefined;
  const isSelfClosing = text[close - 1] === '/';
  const attributes = text.slice(nameEnd, isSelfClosing ? close - 1 : close);
  return { name: text.slice(nameStart, nameEnd), isClosing, isSelfClosing, attributes, end: close + 1 };
}

function tagEnd(text: string, from: number): number {
  const limit = Math.min(text.length, from + tagCharsMax);
  let quote = '';
  let braces = 0;
  for (let at = from; at < limit; at++) {
    const char = text[at] as string;
    if (quote !== '') {
      if (char === quote) quote = '';
    } else if (braces > 0) {
      if (char === '{') braces++;
      else if (char === '}') braces--;
    } else if ((char === '"' || char === "'") && text[at - 1] === '=') quote = char;
    else if (char === '{' && text[at - 1] === '=') braces = 1;
    else if (char === '>') return at;
    else if (char === '<') return -1;
  }
  return -1;
}

/** Returns an attribute's value without quotes and braces; undefined if missing or an expression. */
export function attribute(tag: Tag, name: string): string | undefined {
  const pattern = new RegExp(
    `(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|\\{\\s*["'\`]([^"'\`{}]*)["'\`]\\s*\\}|([^\\s"'{}>]+))`,
    'i',
  );
  const match = pattern.exec(tag.attributes);
  return match ? (match[1] ?? match[2] ?? match[3] ?? match[4]) : undefined;
}

/** Returns a component's link target. */
export function targetOf(tag: Tag): string | undefined {
  return attribute(tag, 'href') ?? attribute(tag, 'to');
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

function isNameChar(code: number): boolean {
  return isLetter(code) || (code >= 48 && code <= 57) || code === 45 || code === 46 || code === 58 || code === 95;
}

const inlineElements = new Set(
  'a abbr b bdi bdo big br button cite code data del dfn em font i img input ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr nobr'.split(
    ' ',
  ),
);

const blockElements = new Set(
  (
    'address article aside blockquote body caption center col colgroup dd details dialog dir div dl dt fieldset figcaption figure ' +
    'footer form h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main menu meta nav noscript object ol optgroup ' +
    'option p param picture pre script section select source style summary svg table tbody td template tfoot th thead title tr ' +
    'track ul video audio canvas embed math textarea path g rect circle'
  ).split(' '),
);

/** Returns true for HTML elements; other names in angle brackets may be type parameters or placeholders. */
export function isHtmlElement(name: string): boolean {
  const lower = name.toLowerCase();
  return inlineElements.has(lower) || blockElements.has(lower) || (lower.includes('-') && lower === name);
}

export function isBlockElement(name: string): boolean {
  return blockElements.has(name.toLowerCase());
}

/** Returns true for a component of MDX or a site generator: `Tabs`, `Card.Group`. */
export function isComponent(name: string): boolean {
  return /^[A-Z]/.test(name);
}
