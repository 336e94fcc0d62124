/** Parsing rules of elements, as bits: this one has no content and no end tag. */
export const isVoid = 1;
/** Closes an open paragraph before it starts; its end tag also closes the elements open inside. */
export const isBlock = 2;
/** Reopened in the next block if a block closes it (the list of active formatting elements). */
export const isFormatting = 4;
/** Stops the search for the element that an end tag closes. */
export const isSpecial = 8;
/** Stops the search for an open paragraph. */
export const isButtonScope = 16;
/** Its end tag may be omitted. */
export const isImplied = 32;
/** Its content is raw text up to its end tag. */
export const isRawText = 64;
/** Raw text that may contain character references. */
export const isEscapableText = 128;
/** Needs parsing rules not implemented here, so the page goes to the full parser. */
export const isOther = 256;
export const isHeading = 512;
/** Part of a table. */
export const isTablePart = 1024;

/** Bits of each element that has any. */
export const traits = new Map<string, number>();
function set(names: string, bits: number): void {
  for (const name of names.split(' ')) traits.set(name, (traits.get(name) ?? 0) | bits);
}
set('area br embed img input wbr', isVoid | isSpecial);
set('param source track', isVoid | isSpecial);
set('hr', isVoid | isSpecial);
set('link meta base', isVoid | isSpecial);
set(
  'address article aside blockquote center details dir div dl fieldset figcaption figure footer form header hgroup main menu nav ol search section summary ul pre',
  isBlock | isSpecial,
);
set('h1 h2 h3 h4 h5 h6', isHeading | isSpecial);
set('b big code em font i s small strike strong tt u a', isFormatting);
set('p li dd dt', isSpecial | isImplied);
set('button table td th caption html', isButtonScope);
set('button body html head', isSpecial);
set('table thead tbody tfoot tr td th caption colgroup col', isTablePart | isSpecial);
set('script style noscript iframe noembed noframes xmp', isRawText | isSpecial);
set('title textarea', isEscapableText | isSpecial);
set(
  'applet marquee object template frameset frame image isindex listing plaintext nobr rb rtc rp rt option optgroup math keygen basefont bgsound selectedcontent menuitem dialog',
  isOther,
);
