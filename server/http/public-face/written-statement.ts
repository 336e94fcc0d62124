import { escapeMarkup } from './escape-markup.ts';

const fence = /^ {0,3}(`{3,}|~{3,})/;
const heading = /^ {0,3}#{1,6}[ \t]+(.*?)[ \t]*#*$/;
const bullet = /^[ \t]*[-*+][ \t]+(?=\S)/;
const number = /^[ \t]*\d{1,9}[.)][ \t]+(?=\S)/;
const quote = /^ {0,3}> ?/;

/**
 * What an operator said in Markdown, as the page of an incident has it before scripts: paragraphs, lists, quotes, code, emphasis and
 * links. Nothing of it becomes markup that is not named here; what is not known stays as it was written.
 */
export function writtenStatement(body: string): string {
  const lines = body.trim().split(/\r?\n/);
  const blocks: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const first = lines[at] ?? '';
    const [html, count] = blockAt(lines, at, first);
    if (html !== '') blocks.push(html);
    at += count;
  }
  return blocks.join('');
}

/** The block that begins at a line, and how many lines it has. */
function blockAt(lines: readonly string[], at: number, first: string): [string, number] {
  if (first.trim() === '') return ['', 1];
  const mark = fence.exec(first)?.[1];
  if (mark !== undefined) {
    const inside = runFrom(lines, at + 1, (line) => !line.trim().startsWith(mark));
    return [`<pre><code>${escapeMarkup(inside.join('\n'))}</code></pre>`, inside.length + 2];
  }
  const title = heading.exec(first)?.[1];
  if (title !== undefined) return [`<p><strong>${inline(title)}</strong></p>`, 1];
  if (quote.test(first)) {
    const quoted = runFrom(lines, at, (line) => quote.test(line));
    return [
      `<blockquote><p>${inline(quoted.map((line) => line.replace(quote, '')).join('\n'))}</p></blockquote>`,
      quoted.length,
    ];
  }
  for (const [name, begins] of [
    ['ul', bullet],
    ['ol', number],
  ] as const) {
    if (!begins.test(first)) continue;
    const listed = runFrom(lines, at, (line) => begins.test(line) || /^[ \t]+\S/.test(line));
    return [`<${name}>${itemsOf(listed, begins).join('')}</${name}>`, listed.length];
  }
  const said = runFrom(lines, at, (line, place) => place === at || !beginsOther(line));
  return [`<p>${inline(said.map((line) => line.trim()).join('\n'))}</p>`, said.length];
}

function beginsOther(line: string): boolean {
  return line.trim() === '' || [fence, heading, bullet, number, quote].some((begins) => begins.test(line));
}

function runFrom(lines: readonly string[], from: number, belongs: (line: string, place: number) => boolean): string[] {
  const end = lines.findIndex((line, place) => place >= from && !belongs(line, place));
  return lines.slice(from, end < 0 ? undefined : end);
}

function itemsOf(lines: readonly string[], begins: RegExp): string[] {
  const items: string[] = [];
  for (const line of lines) {
    if (begins.test(line)) items.push(line.replace(begins, ''));
    else items.push(`${items.pop() ?? ''}\n${line.trim()}`);
  }
  return items.map((item) => `<li>${inline(item)}</li>`);
}

const spans = new RegExp(
  [
    String.raw`\\(?<escaped>[!-/:-@[-\x60{-~])`,
    String.raw`(?<ticks>\x60+)(?<code>[^\x60]+)\k<ticks>(?!\x60)`,
    String.raw`\[(?<label>[^\][\n]+)\]\((?<target>https?://[^\s()<>]+)\)`,
    String.raw`<(?<enclosed>https?://[^\s<>]+)>`,
    String.raw`(?<bare>https?://[^\s<>]*[^\s<>.,;:!?'")\]*_])`,
    String.raw`\*\*(?=[^\s*])(?<strong>[^*]*(?:\*(?!\*)[^*]*)*)\*\*`,
    String.raw`\*(?=[^\s*])(?<em>[^*]+)\*`,
    String.raw`(?<![\p{L}\p{N}_])_(?=[^\s_])(?<low>[^_]+)_(?![\p{L}\p{N}_])`,
  ].join('|'),
  'gu',
);

function inline(text: string): string {
  let html = '';
  let end = 0;
  for (const match of text.matchAll(spans)) {
    html += escapeMarkup(text.slice(end, match.index)) + spanOf(match.groups ?? {});
    end = match.index + match[0].length;
  }
  return html + escapeMarkup(text.slice(end));
}

function spanOf(found: Record<string, string | undefined>): string {
  const { escaped, code, label, target, strong } = found;
  if (escaped !== undefined) return escapeMarkup(escaped);
  if (code !== undefined) return `<code>${escapeMarkup(code.trim())}</code>`;
  if (label !== undefined && target !== undefined) return linkTo(target, inlineWithoutLinks(label));
  if (strong !== undefined) return `<strong>${inline(strong)}</strong>`;
  const address = found['enclosed'] ?? found['bare'];
  if (address !== undefined) return linkTo(address, escapeMarkup(address));
  return `<em>${inline(found['em'] ?? found['low'] ?? '')}</em>`;
}

/** A link holds no other. */
function inlineWithoutLinks(label: string): string {
  return inline(label).replace(/<\/?a\b[^>]*>/g, '');
}

function linkTo(address: string, words: string): string {
  return `<a href="${escapeMarkup(address)}" rel="noopener noreferrer">${words}</a>`;
}
