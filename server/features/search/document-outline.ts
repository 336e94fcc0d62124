import { plainAnchor } from '#contract/anchor.ts';
import type { Document } from '#contract/documents.ts';
import * as limits from '#contract/limits.ts';
import type { Snippet, SnippetSection } from '#server/engine/index.ts';
import { cleanLabel } from './clean-text.ts';

type Entry = Document['outline'][number];

/**
 * The headings of a page in reading order, each with the tokens below it. A heading that only repeats the title is left
 * out, and of very many the innermost are.
 */
export function outlineOf(title: string, snippets: Snippet[]): Entry[] {
  const entries: Entry[] = [];
  let open: { heading: string; entry: Entry | undefined }[] = [];
  for (const { index, headingPath, anchor, tokens } of snippets.flatMap(sectionsOf)) {
    const known = open.findIndex(({ heading }, depth) => heading !== headingPath[depth]);
    open = open.slice(0, known < 0 ? headingPath.length : known);
    for (const [depth, heading] of headingPath.entries()) {
      if (depth < open.length) continue;
      const text = cleanLabel(heading);
      const isTitle = depth === 0 && text === cleanLabel(title);
      // The anchor of a passage is that of its nearest heading.
      const own = depth === headingPath.length - 1 ? plainAnchor(anchor) : '';
      const entry = isTitle || text === '' ? undefined : { text, depth, anchor: own, index, tokens: 0 };
      if (entry !== undefined) entries.push(entry);
      open.push({ heading, entry });
    }
    for (const { entry } of open) if (entry !== undefined) entry.tokens += tokens;
  }
  return withinBound(entries);
}

/** A passage, or the sections that share it. */
function sectionsOf(snippet: Snippet, index: number): (SnippetSection & { index: number })[] {
  const { headingPath, anchor, tokens } = snippet;
  return (snippet.sections ?? [{ headingPath, anchor, tokens }]).map((section) => ({ ...section, index }));
}

function withinBound(entries: Entry[]): Entry[] {
  let kept = entries;
  for (let deepest = 8; kept.length > limits.documentOutlineMax && deepest > 0; deepest -= 1) {
    kept = kept.filter(({ depth }) => depth < deepest);
  }
  return kept.slice(0, limits.documentOutlineMax);
}
