import type { DocumentSnippet } from '#contract/documents.ts';

/** Returns a passage's text without the page's title, if the text repeats it at its start. */
export function withoutTitle(text: string, title: string): string {
  const [, first, rest = ''] = /^# +([^\n]*?) *#*\n+([^]*)$/.exec(text) ?? [];
  return first === title ? rest : text;
}

type Headed = Pick<DocumentSnippet, 'headingPath' | 'text'>;

/**
 * Returns the headings that were not above the preceding passage, with their depth. Left out are a heading that repeats
 * the title, headings that this passage's text begins with (or contains anywhere, if it begins the page), and headings
 * still open at the end of the preceding passage.
 */
export function newHeadings(title: string, snippet: Headed, before: Headed | undefined) {
  const { headingPath, text } = snippet;
  const changed = headingPath.findIndex((heading, depth) => before?.headingPath[depth] !== heading);
  if (changed < 0) return [];
  const rest = withoutTitle(text, title);
  const own = new Set(
    headingsIn(rest === text ? (/^(?:#{1,6} .*\n+)+/.exec(text)?.[0] ?? '') : rest).map(({ text }) => text),
  );
  const open = openHeadings(before?.text ?? '');
  const added = headingPath.map((heading, depth) => ({ text: heading, depth })).slice(changed);
  const firstShut = added.findIndex((heading) => !open.has(heading.text));
  return added
    .slice(firstShut < 0 ? added.length : firstShut)
    .filter((heading) => !(heading.depth === 0 && heading.text === title) && !own.has(heading.text));
}

function headingsIn(markdown: string) {
  return [...markdown.matchAll(/^(#{1,6}) +(.*)$/gm)].map(([, marks = '', text = '']) => ({
    level: marks.length,
    text: text.trimEnd(),
  }));
}

/** Returns the headings of the sections still open at the end of a text. */
function openHeadings(markdown: string): Set<string> {
  const all = headingsIn(markdown);
  return new Set(
    all.filter(({ level }, at) => all.slice(at + 1).every((later) => later.level > level)).map(({ text }) => text),
  );
}
