import type { DocumentSnippet } from '#contract/documents.ts';

/** A passage without the title of its page, where it begins with it again. */
export function withoutTitle(text: string, title: string): string {
  const [, first, rest = ''] = /^# +([^\n]*?) *#*\n+([^]*)$/.exec(text) ?? [];
  return first === title ? rest : text;
}

type Headed = Pick<DocumentSnippet, 'headingPath' | 'text'>;

/**
 * Headings that were not above the passage before, with their depth. One that repeats the title is left out, and so are
 * those that the passage begins with itself, or has further down where it begins the page, and those the one before ends under.
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

/** The headings that the end of a text stands under. */
function openHeadings(markdown: string): Set<string> {
  const all = headingsIn(markdown);
  return new Set(
    all.filter(({ level }, at) => all.slice(at + 1).every((later) => later.level > level)).map(({ text }) => text),
  );
}
