import { posix } from 'node:path';
import { inRoot, nearestText, type ReadIncluded } from '../read-included.ts';

/** What a project of Writerside says above its pages. */
export interface WritersideProject {
  /** Folder that code is named below. */
  codeRoot?: string;
  values: Map<string, string>;
  /** Values in files that the text includes elements of: they hold where it has none itself. */
  others: Map<string, string>;
}

const settingsCharactersMax = 100_000;
const valueCharactersMax = 1_000;
/** Most characters that values add to one text. */
const addedMax = 1_000_000;
const settingsNames = ['writerside.cfg', 'project.ihp'];
const pageTitle = /^\s{0,9}\[\/\/\]: # \(title:/;
const mayBeWriterside =
  /^\[\/\/\]: # \(title:|^[ \t]*<\/?(?:include|var|show-structure|tldr|tabs?|code-block|procedure|deflist|snippet|note|tip|warning|chapter|list|link-summary)[\s>]|^[ \t]*\{[\w-]+="|%[A-Za-z_][\w.-]*%/m;

/** Returns the project that a text belongs to; undefined for a text of another generator. */
export async function writersideProject(
  text: string,
  { path, isTopic, read }: { path: string; isTopic: boolean; read: ReadIncluded },
): Promise<WritersideProject | undefined> {
  if (!isTopic && !mayBeWriterside.test(text)) return undefined;
  for (const name of settingsNames) {
    const found = await nearestText(name, path, read);
    if (found === undefined || found.text.length > settingsCharactersMax) continue;
    const { src: code, dir } = attributesOf(/<snippets\s[^<>]*>/.exec(found.text)?.[0] ?? '');
    const { src: vars = 'v.list' } = attributesOf(/<vars\s[^<>]*>/.exec(found.text)?.[0] ?? '');
    const folder = posix.dirname(found.path);
    const [listed] = inRoot([posix.join(folder, vars)]);
    const list = listed === undefined ? undefined : await read(listed);
    return {
      ...((code ?? dir) && { codeRoot: posix.join(folder, code ?? dir ?? '') }),
      values: valuesIn(list === undefined || list.length > settingsCharactersMax ? '' : list),
      others: new Map(),
    };
  }
  return isTopic || pageTitle.test(text) ? { values: new Map(), others: new Map() } : undefined;
}

/** Attributes of a tag, or of a line of Markdown in braces. */
export function attributesOf(tag: string): Record<string, string> {
  const found = tag.matchAll(/([\w-]{1,60})\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)')/g);
  return Object.fromEntries([...found].map(([, name = '', double, single]) => [name, double ?? single ?? '']));
}

/** Values that `<var name="…" value="…"/>` gives to names; the first of a name. */
export function valuesIn(text: string): Map<string, string> {
  const values = [...text.matchAll(/<var\s[^<>]{1,2000}>/g)].flatMap(([tag]) => valueOf(tag));
  return new Map(values.reverse());
}

function valueOf(tag: string): [name: string, value: string][] {
  const { name, value } = attributesOf(tag);
  return name !== undefined && value !== undefined && value.length <= valueCharactersMax ? [[name, value]] : [];
}

/** The line without what only gives names their values. */
export const withoutValues = (line: string): string => line.replace(/<var\s[^<>]*>/g, '');

const named =
  /<code-block\b[^<>]{0,500}\bignore-vars="true"[^<>]{0,500}>[^]*?(?:<\/code-block>|$(?![^]))|<var\s[^<>]{1,2000}>|%([A-Za-z_][\w.-]{0,60})%/g;

/**
 * Puts values in the place of their names (`%name%`); one given in the text holds from there on. A name without a value stays, and so
 * does code that is marked to ignore values.
 */
export function putVariables(lines: readonly string[], known: ReadonlyMap<string, string>): string[] {
  if (known.size === 0) return [...lines];
  let added = 0;
  const values = new Map(known);
  const put = (mark: string, name: string | undefined): string => {
    if (added > addedMax) return mark;
    for (const [own, value] of mark.startsWith('<var') ? valueOf(mark) : []) values.set(own, value);
    // A value may name another.
    const value = values
      .get(name ?? '')
      ?.replace(/%([\w.-]{1,60})%/g, (whole, other: string) => values.get(other) ?? whole);
    added += value?.length ?? 0;
    return value ?? mark;
  };
  return lines.join('\n').replace(named, put).split('\n');
}

/** Lines of a text; tags that stand for something else have lines of their own. */
export function linesWithTags(text: string): string[] {
  return text
    .replace(
      /(?<=>)[ \t]{0,99}(<(?:include|code-block)\s[^<>]{0,999}\b(?:element-id|src)=[^<>]{0,999}\/>)(?=[ \t]{0,99}<)/g,
      '\n$1\n',
    )
    .split(/\r?\n/);
}

/** A tag is written on no more lines. */
const tagLinesMax = 30;

/** Lines of the element with this id: of XML, or of Markdown whose block is followed by `{id="…"}`. Undefined where there is none. */
export function elementLines(lines: readonly string[], id: string): string[] | undefined {
  const mark = new RegExp(`(?<![\\w-])id=["']${id.replace(/[^\w-]/g, '\\$&')}["']`);
  const at = lines.findIndex((line) => mark.test(line));
  if (at < 0) return undefined;
  const line = lines[at] as string;
  const [, heading] = /^(#{1,6})\s/.exec(line) ?? [];
  if (heading !== undefined) {
    let isCode = false;
    const end = lines.findIndex((each, next) => {
      if (/^\s*(?:(?:>|[-*+]|\d{1,9}[.)])\s+)*(?:```|~~~)/.test(each)) isCode = !isCode;
      return next > at && !isCode && (/^(#{1,6})\s/.exec(each)?.[1]?.length ?? 7) <= heading.length;
    });
    return lines.slice(at, end < 0 ? undefined : end);
  }
  if (/^\s*\{/.test(line)) {
    let start = at;
    while (start > 0 && lines[start - 1]?.trim() !== '') start -= 1;
    return lines.slice(start, at + 1);
  }
  const from = lines.findLastIndex((each, index) => index <= at && index > at - tagLinesMax && each.includes('<'));
  const text = lines.slice(Math.max(0, from)).join('\n');
  const place = text.search(mark);
  const start = text.lastIndexOf('<', place);
  const [, name] = /^<([a-z][\w-]*)\s/.exec(text.slice(start, start + 60)) ?? [];
  if (name === undefined) return undefined;
  let depth = 0;
  for (const tag of text.slice(start).matchAll(new RegExp(`<(/?)${name}(?:\\s[^<>]*?)?(/?)>`, 'g'))) {
    if (tag[2] === '') depth += tag[1] === '' ? 1 : -1;
    if (depth <= 0) return linesWithTags(text.slice(start, start + tag.index + tag[0].length));
  }
  return undefined;
}

const symbolsMax = 8;

/** Lines that declare these names, in a language with braces or one of indentation. */
export function symbolLines(lines: readonly string[], names: readonly string[]): string[] {
  return names.slice(0, symbolsMax).flatMap((name, index) => {
    const declares = new RegExp(
      `\\b(?:fun|va[lr]|class|object|interface|typealias|def|function|func|fn|const|let|type|struct|record|enum)\\s(?:[^=({]{0,80}[\\s.>])?${name}\\b`,
    );
    const start = /^\w{1,100}$/.test(name) ? lines.findIndex((line) => line.length < 200 && declares.test(line)) : -1;
    if (start < 0) return [];
    const depth = (lines[start] as string).search(/\S/);
    const after = (line: string, at: number) => at > start && line.trim() !== '' && line.search(/\S/) <= depth;
    const end = lines.findIndex((line, at) => after(line, at) && !/^\s*(?:[)\]}].*[({[=]|\{)\s*$/.test(line));
    const closes = end >= 0 && /^\s*[)\]}]/.test(lines[end] as string) ? 1 : 0;
    const declared = lines.slice(start, end < 0 ? undefined : end + closes);
    const last = declared.findLastIndex((line) => line.trim() !== '');
    return [...(index > 0 ? [''] : []), ...declared.slice(0, last + 1)];
  });
}

const attributeLinesMax = 6;

/** Index of the line at which attributes in braces end that start at this one; -1 where none do. */
export function attributesEnd(lines: readonly string[], at: number): number {
  if (!/^\s*(?:>\s*)?\{[\w-]+="/.test(lines[at] ?? '')) return -1;
  for (let end = at; end < at + attributeLinesMax && end < lines.length; end++) {
    if (/"\s*\}\s*$/.test(lines[end] as string)) return end;
  }
  return -1;
}
