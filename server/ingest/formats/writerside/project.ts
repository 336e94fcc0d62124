import { posix } from 'node:path';
import { inRoot, nearestText, type ReadIncluded } from '../read-included.ts';

export interface WritersideProject {
  /** Folder that code paths are relative to. */
  codeRoot?: string;
  values: Map<string, string>;
  /** Values from files whose elements the text includes; used if the text defines none. */
  others: Map<string, string>;
}

const settingsCharactersMax = 100_000;
const valueCharactersMax = 1_000;
/** Maximum number of characters that values may add to one text. */
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

/** Returns the attributes of a tag or of a Markdown line in braces. */
export function attributesOf(tag: string): Record<string, string> {
  const found = tag.matchAll(/([\w-]{1,60})\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)')/g);
  return Object.fromEntries([...found].map(([, name = '', double, single]) => [name, double ?? single ?? '']));
}

/** Returns the values defined by `<var name="…" value="…"/>`; the first of each name. */
export function valuesIn(text: string): Map<string, string> {
  const values = [...text.matchAll(/<var\s[^<>]{1,2000}>/g)].flatMap(([tag]) => valueOf(tag));
  return new Map(values.reverse());
}

function valueOf(tag: string): [name: string, value: string][] {
  const { name, value } = attributesOf(tag);
  return name !== undefined && value !== undefined && value.length <= valueCharactersMax ? [[name, value]] : [];
}

/** Removes `var` tags from a line. */
export const withoutValues = (line: string): string => line.replace(/<var\s[^<>]*>/g, '');

const named =
  /<code-block\b[^<>]{0,500}\bignore-vars="true"[^<>]{0,500}>[^]*?(?:<\/code-block>|$(?![^]))|<var\s[^<>]{1,2000}>|%([A-Za-z_][\w.-]{0,60})%/g;

/**
 * Replaces names (`%name%`) with their values; a value defined in the text applies from there on. Names without a value
 * stay, as does code marked to ignore variables.
 */
export function putVariables(lines: readonly string[], known: ReadonlyMap<string, string>): string[] {
  if (known.size === 0) return [...lines];
  let added = 0;
  const values = new Map(known);
  const put = (mark: string, name: string | undefined): string => {
    if (added > addedMax) return mark;
    for (const [own, value] of mark.startsWith('<var') ? valueOf(mark) : []) values.set(own, value);
    // A value may refer to another.
    const value = values
      .get(name ?? '')
      ?.replace(/%([\w.-]{1,60})%/g, (whole, other: string) => values.get(other) ?? whole);
    added += value?.length ?? 0;
    return value ?? mark;
  };
  return lines.join('\n').replace(named, put).split('\n');
}

/** Splits text into lines, with include tags on separate lines. */
export function linesWithTags(text: string): string[] {
  return text
    .replace(
      /(?<=>)[ \t]{0,99}(<(?:include|code-block)\s[^<>]{0,999}\b(?:element-id|src)=[^<>]{0,999}\/>)(?=[ \t]{0,99}<)/g,
      '\n$1\n',
    )
    .split(/\r?\n/);
}

/** Maximum number of lines of a tag. */
const tagLinesMax = 30;

/**
 * Returns the lines of the element with this id, in XML or in Markdown whose block is followed by `{id="…"}`. Undefined
 * if there is none.
 */
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

/** Returns the lines that declare these names, in a language with braces or indentation. */
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

/** Returns the index of the line that closes the braces of attributes starting at this one; -1 if there is none. */
export function attributesEnd(lines: readonly string[], at: number): number {
  if (!/^\s*(?:>\s*)?\{[\w-]+="/.test(lines[at] ?? '')) return -1;
  for (let end = at; end < at + attributeLinesMax && end < lines.length; end++) {
    if (/"\s*\}\s*$/.test(lines[end] as string)) return end;
  }
  return -1;
}
