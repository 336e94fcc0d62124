import type { ChatCitation } from '#contract/chat.ts';
import { limits } from '#contract/limits.ts';
import { cleanLabel } from '#server/features/search/index.ts';

/** What is said where nothing fits; costs nothing. */
export function nothingFound(moduleName: string | undefined): string {
  const where = moduleName === undefined ? 'the documentation that you may read here' : cleanLabel(moduleName, 80);
  return `Nothing in ${inert(where)} fits this question. Try the words the documentation would use, such as a function or an option by its name.`;
}

/** An answer made of the best passages themselves, in pieces: each quoted, with its place and number. */
export function* quotePassages(citations: readonly ChatCitation[]): Iterable<string> {
  for (const citation of citations.slice(0, limits.chatPassagesQuoted)) {
    const place = [citation.title, citation.headingPath.at(-1) ?? '']
      .map((part) => inert(cleanLabel(part, 120)))
      .filter((part, index, parts) => part !== '' && parts.indexOf(part) === index)
      .join(' › ');
    yield `**${place || 'Untitled'}** [${citation.number}]\n\n`;
    yield `${closed(citation.text).replace(/^/gm, '> ')}\n\n`;
  }
}

/** A label as Markdown that means nothing but its characters. */
function inert(label: string): string {
  return label.replace(/[\\`*_{}[\]()<>#+!|~&]/g, '\\$&');
}

/** A passage may be cut inside a block of code, which would take in what comes after it. */
function closed(text: string): string {
  const lines = text.trim().split('\n');
  let fence: string | undefined;
  for (const line of lines) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark === undefined) continue;
    if (fence === undefined) fence = mark;
    else if (mark.startsWith(fence)) fence = undefined;
  }
  return fence === undefined ? lines.join('\n') : `${lines.join('\n')}\n${fence}`;
}
