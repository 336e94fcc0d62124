const named: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  hellip: '…',
  copy: '©',
  reg: '®',
  trade: '™',
  times: '×',
  rarr: '→',
  larr: '←',
  uarr: '↑',
  darr: '↓',
  middot: '·',
  bull: '•',
  deg: '°',
  le: '≤',
  ge: '≥',
  ne: '≠',
  minus: '−',
  plusmn: '±',
  para: '¶',
  sect: '§',
  laquo: '«',
  raquo: '»',
  ensp: ' ',
  emsp: ' ',
  thinsp: ' ',
  zwnj: '',
  shy: '',
  lbrace: '{',
  rbrace: '}',
  lbrack: '[',
  rbrack: ']',
  vert: '|',
  ast: '*',
  num: '#',
  dollar: '$',
  grave: '`',
  lowbar: '_',
  colon: ':',
  comma: ',',
  period: '.',
  sol: '/',
  bsol: '\\',
};

/** Character references of HTML as characters; names that documentation does not use are left as they are. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,8}));/gi,
    (all, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return named[name] ?? named[name.toLowerCase()] ?? all;
      const code = hex !== undefined ? Number.parseInt(hex, 16) : Number.parseInt(decimal as string, 10);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '�';
    },
  );
}
