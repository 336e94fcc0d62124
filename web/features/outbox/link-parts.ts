/** Splits a text at its web addresses. Punctuation that ends a sentence is not part of an address. */
export function linkParts(text: string): { text: string; href?: string }[] {
  const parts: { text: string; href?: string }[] = [];
  let end = 0;
  for (const found of text.matchAll(/\bhttps?:\/\/[^\s<>"]+/g)) {
    const address = found[0].replace(/[.,;:!?)\]]+$/, '');
    if (!URL.canParse(address)) continue;
    if (found.index > end) parts.push({ text: text.slice(end, found.index) });
    parts.push({ text: address, href: address });
    end = found.index + address.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}
