import type { ChatCitation } from '#contract/chat.ts';

const previewCharactersMax = 400;

/** Returns the title and last heading, or the address of a page without either. */
export function placeOf({ title, headingPath, url }: ChatCitation): string {
  const parts = [title, headingPath.at(-1) ?? ''].filter((part, at, all) => part !== '' && all.indexOf(part) === at);
  return parts.length > 0 ? parts.join(' › ') : url;
}

/** Matches fenced code blocks, closed or not, and inline code. */
const code = /^[ \t]*(`{3,}|~{3,})[^\n]*\n([^]*?)(?:^[ \t]*\1[`~]*[ \t]*$|$(?![^]))|(`+)(?!`)([^\n]+?)(?<!`)\3(?!`)/gm;

/** Returns a passage as plain text for a preview. Names keep all their characters, inside and outside code. */
export function passageWords(text: string): string {
  // More than is shown, to allow for Markdown markup.
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

/** Removes Markdown markup; text that only looks like markup is kept. */
function proseWords(markdown: string): string {
  return markdown
    .replace(/^§ .*$/gm, ' ')
    .replace(/^[ \t]*[|:-][ \t|:-]*$/gm, ' ')
    .replace(/^[ \t]*(?:(?:#{1,6}|>|[-*+])[ \t]+)+/gm, '')
    .replace(/^[ \t]*\|.*$/gm, (row) => row.replace(/(?<!\\)\|/g, ' '))
    .replace(/!?\[([^\][]*)\]\([^()\s]*\)/g, '$1')
    .replace(/(?<![\\*])(\*{1,3})(?=[^\s*])([^*\n]*?[^\s\\*])\1(?!\*)/g, '$2')
    .replace(/(?<![\\\w])(_{1,3})(?=[^\s_])([^\n]*?[^\s\\])\1(?!\w)/g, '$2')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1');
}
