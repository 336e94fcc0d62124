import type { DocumentSnippet } from '#contract/documents.ts';

/** A passage without the title of its page, where it begins with it again. */
export function withoutTitle(text: string, title: string): string {
  const [, first, rest = ''] = /^# +([^\n]*?) *#*\n+([^]*)$/.exec(text) ?? [];
  return first === title ? rest : text;
}

type Headed = Pick<DocumentSnippet, 'headingPath' | 'text'>;

/**
 * Headings that were not above the passage before, with their depth. One that repeats the title is left out, and so are
 * those that a passage which begins the page has further down itself.
 */
export function newHeadings(title: string, snippet: Headed, before: Headed | undefined) {
  const { headingPath, text } = snippet;
  const changed = headingPath.findIndex((heading, depth) => before?.headingPath[depth] !== heading);
  if (changed < 0) return [];
  const rest = withoutTitle(text, title);
  const own = new Set(
    rest === text ? [] : rest.match(/^#{1,6} .*$/gm)?.map((line) => line.replace(/^#+ +/, '').trimEnd()),
  );
  return headingPath
    .map((heading, depth) => ({ text: heading, depth }))
    .slice(changed)
    .filter((heading) => !(heading.depth === 0 && heading.text === title) && !own.has(heading.text));
}
