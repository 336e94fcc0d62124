import type { ChatCitation } from '#contract/chat.ts';

const previewCharactersMax = 400;

/** Title and last heading, or the address of a page without either. */
export function placeOf({ title, headingPath, url }: ChatCitation): string {
  const parts = [title, headingPath.at(-1) ?? ''].filter((part, at, all) => part !== '' && all.indexOf(part) === at);
  return parts.length > 0 ? parts.join(' › ') : url;
}

/** A fenced block, closed or not, or code in a line. */
const code = /^[ \t]*(`{3,}|~{3,})[^\n]*\n([^]*?)(?:^[ \t]*\1[`~]*[ \t]*$|$(?![^]))|(`+)(?!`)([^\n]+?)(?<!`)\3(?!`)/gm;

/** A passage as plain words, for a glance at it: names keep all their signs, in code and out of it. */
export function passageWords(text: string): string {
  // More than what is shown, with room for its marks.
  const beginning = text.slice(0, previewCharactersMax * 4);
  const pieces: string[] = [];
  const prose = beginning.replace(code, (_, _fence, block?: string, _ticks?: string, inLine?: string) => {
    pieces.push(block ?? inLine ?? '');
    return `\uE000${pieces.length - 1}\uE001`;
  });
  const words = proseWords(prose)
    .replace(/\uE000(\d+)\uE001/g, (_, piece: string) => pieces[Number(piece)] ?? '')
    .replace(/\s+/g, ' ')
    .trim();
  return words.length <= previewCharactersMax ? words : `${words.slice(0, previewCharactersMax).trimEnd()}…`;
}

/** Without the marks of Markdown; what only looks like one stays. */
function proseWords(markdown: string): string {
  return markdown
    .replace(/^§ .*$/gm, ' ')
    .replace(/^[ \t]*[|:-][ \t|:-]*$/gm, ' ')
    .replace(/^(?:[ \t]*(?:#{1,6}|>|[-*+])[ \t]+)+/gm, '')
    .replace(/^[ \t]*\|.*$/gm, (row) => row.replace(/(?<!\\)\|/g, ' '))
    .replace(/!?\[([^\][]*)\]\([^()\s]*\)/g, '$1')
    .replace(/(?<![\\*])(\*{1,3})(?=[^\s*])([^*\n]*?[^\s\\*])\1(?!\*)/g, '$2')
    .replace(/(?<![\\\w])(_{1,3})(?=[^\s_])([^\n]*?[^\s\\])\1(?!\w)/g, '$2')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1');
}
