const excerptCharacters = 180;

/** The part of a passage that has most words of the query, without marks of Markdown, on one line. */
export function plainExcerpt(markdown: string, query: string): string {
  const text = plainText(markdown);
  if (text.length <= excerptCharacters) return text;
  const words = query.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [];
  const lower = text.toLowerCase();
  const places = words.flatMap((word) => placesOf(lower, word));
  const countFrom = (start: number): number =>
    new Set(places.filter(({ at }) => at >= start && at < start + excerptCharacters).map(({ word }) => word)).size;
  const starts = [0, ...places.map(({ at }) => Math.max(0, at - 40))];
  const best = starts.reduce((kept, start) => (countFrom(start) > countFrom(kept) ? start : kept), 0);
  const from = best === 0 ? 0 : text.indexOf(' ', best) + 1;
  const to = text.lastIndexOf(' ', from + excerptCharacters);
  const cut = text.slice(from, to <= from || from + excerptCharacters >= text.length ? undefined : to);
  return `${from > 0 ? '… ' : ''}${cut}${from + cut.length < text.length ? ' …' : ''}`;
}

function placesOf(text: string, word: string): { word: string; at: number }[] {
  const found: { word: string; at: number }[] = [];
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) found.push({ word, at });
  return found;
}

function plainText(markdown: string): string {
  return markdown
    .replace(/^#{1,6} .*$/gm, '')
    .replace(/^\s*(```|~~~).*$/gm, '')
    .replace(/^[|\s:-]+$/gm, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*`|\\]|^\s*[-+>] /gm, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
