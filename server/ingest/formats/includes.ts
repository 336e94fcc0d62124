import { posix } from 'node:path';
import { codeLanguageOf, type DocumentFormat } from './format-of.ts';
import { readFrontMatter } from './front-matter.ts';
import { outdented } from './margin.ts';
import { inRoot, type ReadIncluded } from './read-included.ts';
import { missingFile } from './write-markdown.ts';
import {
  attributesEnd,
  attributesOf,
  elementLines,
  linesWithTags,
  putVariables,
  symbolLines,
  valuesIn,
  type WritersideProject,
  withoutValues,
  writersideProject,
} from './writerside/project.ts';

const depthMax = 5;
const includesMax = 500;
const charactersMax = 4_000_000;
/** Maximum lookups per text: unresolvable directives are tried at dozens of paths. */
const lookUpsMax = 10_000;
/** Longer lines are not directives. */
const lineLengthMax = 400;
/** Maximum number of lines between a directive's fences. */
const optionLinesMax = 50;

/** A directive that includes (part of) another file. */
interface Include {
  /** Possible paths of the file, most likely first; paths outside the root or of hidden files are not read. */
  paths: string[];
  /** Selects the included part; default: the whole file. */
  part?: (lines: string[]) => string[] | undefined;
  /** Wraps the lines, for example in a fence; without it they are parsed like the surrounding text. */
  frame?: (lines: string[], path: string) => string[];
  /** True to remove docfx's region markers from the code. */
  isOfDocfx?: boolean;
  /** True if it may include part of a file that is already being read. */
  isOfSelf?: boolean;
  /** Text shown if the file is not found; default: the directive as written. */
  missing?: string;
  /** Post-processes the lines once their own includes are resolved. */
  after?: (lines: string[]) => string[];
}

interface State {
  read: ReadIncluded;
  format: DocumentFormat;
  includes: number;
  lookUps: number;
  characters: number;
  writerside?: WritersideProject;
  /** Snippet folders from the MkDocs settings. */
  snippetFolders: readonly string[];
}

const directives: Partial<Record<DocumentFormat, RegExp>> = {
  asciidoc: /^[ \t]*include::/m,
  rst: /^[ \t]*\.\. (?:literal)?include::/m,
  texinfo: /^@(?:verbatim)?include\s/m,
  org: /^[ \t]*#\+include:/im,
  topic: /<(?:include|code-block|topic)\b/,
};
const markdownDirectives =
  /\{\{\s*#(?:rustdoc_)?include|\{\{\s*#playground|--8<--|\{!|\{\*|^[ \t]*<<<|@include:|\[!(?:include|code-)|:::code\s|\{(?:literal)?include\}|^import\s+\w+\s+from|<\w{1,60}[^<>\n]{0,300}\s(?:src|file)=|\{[{%][<%]?-?\s*(?:include|readfile|code|data reusables)/im;

const directivesOf = (format: DocumentFormat): RegExp | undefined =>
  format === 'markdown' || format === 'mdx' ? markdownDirectives : directives[format];

/**
 * Replaces include directives with the files' text: AsciiDoc's `include::` with Antora's families, Sphinx's `include`
 * and `literalinclude`, and those of mdBook, MkDocs, VitePress, MyST, Docusaurus, docfx, Hugo, Mintlify, Writerside,
 * Texinfo and Org. Files that are not found or nested deeper than five stay as written; components are replaced by the
 * file's name. Also inserts values from the project's settings (see `putValues` and `projectNames`) and puts the
 * attributes of an Antora component above its pages. `path` is the text's path below the root that `read` reads from.
 * Returns the same bytes if nothing changes or the text is not UTF-8.
 */
export async function followIncludes(
  bytes: Uint8Array,
  { path, format, read }: { path: string; format: DocumentFormat; read: ReadIncluded },
): Promise<Uint8Array> {
  if (format === 'docbook') return followXml(bytes, { path, read });
  const directive = directivesOf(format);
  const text = directive && textOf(bytes);
  if (text === undefined) return bytes;
  const above = format === 'asciidoc' ? await componentAttributes(text, path, read) : [];
  const isTopic = format === 'topic';
  const writerside =
    isTopic || format === 'markdown' ? await writersideProject(text, { path, isTopic, read }) : undefined;
  const state: State = {
    ...{ read, format, includes: 0, lookUps: 0, characters: text.length },
    snippetFolders: text.includes('--8<--') ? await snippetFolders(path, read) : [],
    ...(writerside && { writerside }),
  };
  const lines = [...above, ...(writerside ? linesWithTags(text) : text.split(/\r?\n/))];
  const followed = directive?.test(text) || writerside ? await follow(lines, [path], state) : lines;
  let whole = state.includes + above.length === 0 ? text : followed.join('\n');
  if (writerside) {
    whole = putVariables([whole], new Map([...writerside.others, ...writerside.values, ...valuesIn(text)])).join('\n');
    if (!isTopic) whole = (await import('./writerside/to-markdown.ts')).writersideMarkdown(whole);
  }
  if (format === 'rst' && whole.includes('|')) {
    const names = await (await projectValues()).projectNames(whole, path, read);
    if (names.length > 0) whole = [whole, ...(await follow(names, [path], state))].join('\n');
  }
  if (mayHaveValues.test(whole)) whole = await (await projectValues()).putValues(whole, { path, format, read });
  return whole === text ? bytes : new TextEncoder().encode(whole);
}

async function followXml(bytes: Uint8Array, options: { path: string; read: ReadIncluded }): Promise<Uint8Array> {
  const text = textOf(bytes);
  if (text === undefined) return bytes;
  const whole = await (await import('./docbook/follow.ts')).followDocbook(text, options);
  return whole === text ? bytes : new TextEncoder().encode(whole);
}

/** Imported lazily: few texts need it, and it loads the YAML and TOML parsers. */
const projectValues = () => import('./project-values.ts');
const mayHaveValues =
  /\{\{[\w\s.-]+\}\}|\{\{-\s*site\.|\{\{[<%]\s*(?:param|meta|var)\s|\{%-?\s*data variables\.|\{\+[\w.-]+\+\}/;

/** Returns the attributes that an Antora component defines for its pages, if the page uses any. */
async function componentAttributes(text: string, path: string, read: ReadIncluded): Promise<string[]> {
  const root = /^((?:.*\/)?)modules\/[^/]+\/(?:pages|partials)\//.exec(path)?.[1];
  if (root === undefined || !/\{[\w-]+\}|^if\w+::/m.test(text)) return [];
  // Imported lazily: few repositories have one, and its parser is large.
  const { fieldsOf, textOf: textOfValue } = await import('./parsed-data.ts');
  const component = await (await projectValues()).nearestOf('antora.yml', `${root}page`, read);
  const { attributes } = fieldsOf(component.asciidoc);
  return Object.entries(fieldsOf(attributes)).flatMap(([name, value]) => {
    // `@` lets a page override the value; `false` unsets it.
    const shown = value === true ? '' : textOfValue(value).replace(/@$/, '');
    return /^[\w-]{1,60}$/.test(name) && value !== false && value !== null && !shown.includes('\n')
      ? [`:${name}: ${shown}`.trim()]
      : [];
  });
}

/** `trail`: the file that contains the lines, and the files that included it. */
async function follow(lines: readonly string[], trail: readonly string[], state: State): Promise<string[]> {
  const out: string[] = [];
  const find = finderOf(lines, trail[0] as string, state);
  const isOver = () => trail.length > depthMax || state.includes >= includesMax || state.lookUps > lookUpsMax;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string;
    const found = line.length > lineLengthMax || isOver() ? undefined : find(line, at);
    const included = found && (await take(found.include, trail, state));
    const indent = /^\s*/.exec(line)?.[0] ?? '';
    state.characters += indent.length * (included?.length ?? 0);
    if (!included || state.characters > charactersMax) {
      const missing = found?.include.missing;
      if (missing !== undefined) state.includes += 1;
      out.push(missing ?? line);
      continue;
    }
    for (const part of included) out.push(part === '' ? '' : indent + part);
    at += found.further;
  }
  return out;
}

async function take(include: Include, trail: readonly string[], state: State): Promise<string[] | undefined> {
  for (const place of include.paths) {
    if (++state.lookUps > lookUpsMax) return undefined;
    const [path] = inRoot([place]);
    if (path === undefined || (trail.includes(path) && !include.isOfSelf)) continue;
    const text = await state.read(path);
    if (text === undefined) continue;
    state.includes += 1;
    state.characters += text.length;
    if (state.characters > charactersMax) return undefined;
    let lines = text
      .replace(/^\ufeff/, '')
      .replace(/\n$/, '')
      .split(/\r?\n/);
    const part = include.part ? include.part(lines) : lines;
    if (part === undefined) continue;
    if (include.part) lines = grown(lines, part, state);
    if (state.characters > charactersMax) return undefined;
    lines = lines.filter((line) => !partMark.test(line) && !(include.isOfDocfx && docfxMark.test(line)));
    if (include.frame) return include.frame(outdented(lines), path);
    if (/\.(?:mdx?|markdown|[qr]md)$/i.test(path)) lines = lines.slice(readFrontMatter(lines).bodyStart);
    const followed = await follow(lines, [path, ...trail], state);
    return include.after ? grown(followed, include.after(followed), state) : followed;
  }
  return undefined;
}

/** Returns the changed lines; any growth from inserted values counts toward the size limit. */
function grown(before: readonly string[], after: string[], state: State): string[] {
  state.characters += Math.max(0, lengthOf(after) - lengthOf(before));
  return after;
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

type Find = (line: string, at: number) => { include: Include; further: number } | undefined;

function finderOf(lines: readonly string[], path: string, { format, writerside, snippetFolders }: State): Find {
  switch (format) {
    case 'topic':
      return findInWriterside(lines, path, writerside);
    case 'asciidoc':
      return findInAsciidoc(path);
    case 'rst':
      return (line, at) => findInRst(lines, line, at, path);
    case 'texinfo':
      return (line) => {
        const [, verbatim, target] = /^@(verbatim)?include\s+(\S+)\s*$/.exec(line) ?? [];
        if (target === undefined) return undefined;
        const frame = verbatim && ((text: string[]) => ['@verbatim', ...text, '@end verbatim']);
        return { include: { paths: placesOf(target, path), ...(frame && { frame }) }, further: 0 };
      };
    case 'org':
      return (line) => {
        const [, target, kind, language = ''] =
          /^\s*#\+include:\s*"([^":]+)[^"]*"(?:\s+(src|example)\b)?(?:\s+([\w+-]+))?/i.exec(line) ?? [];
        if (target === undefined) return undefined;
        const frame = (text: string[]) => [`#+begin_${kind} ${language}`, ...text, `#+end_${kind}`];
        return { include: { paths: placesOf(target, path), ...(kind && { frame }) }, further: 0 };
      };
    default: {
      const find = findInMarkdown(lines, path, snippetFolders);
      const findElse = writerside && findInWriterside(lines, path, writerside);
      return (line, at) => findElse?.(line, at) ?? find(line, at);
    }
  }
}

/** Maximum lines of a tag, or of the value tags inside an include. */
const tagLinesMax = 15;

/** Finds elements of other files, and code files named by a code block or by attributes below a fence. */
function findInWriterside(lines: readonly string[], path: string, project: WritersideProject | undefined): Find {
  const placesOfCode = (target: string) => [
    ...(project?.codeRoot === undefined ? [] : [posix.join(project.codeRoot, target)]),
    ...placesOf(target, path),
  ];
  const partOfCode =
    ({ 'include-lines': ranges, 'include-symbol': names }: Record<string, string>) =>
    (text: string[]) =>
      names === undefined ? linesOf(text, ranges) : symbolLines(text, names.split(/(?:(?<!\s)\s+)?,\s*/));
  let fence: string | undefined;
  return (line, at) => {
    const [, marker, marks, language = ''] = /^\s*((?:[-*+]|\d+\.)\s+)?(`{3,}|~{3,})\s*([\w+#.-]*)/.exec(line) ?? [];
    if (fence !== undefined || marks !== undefined) {
      const isOpening = fence === undefined;
      if (isOpening) fence = marks;
      else if (line.trim().startsWith(fence as string)) fence = undefined;
      if (!isOpening || marker !== undefined) return undefined;
      const after = lines.slice(at + 1, at + tagLinesMax);
      const close = after.findIndex((each) => each.trim().startsWith(marks as string));
      const below = after.findIndex((each, next) => next > close && each.trim() !== '');
      const end = close < 0 || below < 0 ? -1 : attributesEnd(lines, at + 1 + below);
      if (end < 0) return undefined;
      const attributes = attributesOf(lines.slice(at + 1 + below, end + 1).join(' '));
      if (attributes.src === undefined) return undefined;
      fence = undefined;
      const rest = { part: partOfCode(attributes), frame: fenced(language || undefined) };
      return { include: { paths: placesOfCode(attributes.src), ...rest }, further: end - at };
    }
    const [, name] = /^\s*<(include|code-block)(?=\s|$)/.exec(line) ?? [];
    if (name === undefined) return undefined;
    const text = lines.slice(at, at + tagLinesMax).join('\n');
    const [tag] = /^\s*<[a-z-]+\s(?:[^<>"']|"[^"<]*"|'[^'<]*')*>/.exec(text) ?? [];
    if (tag === undefined) return undefined;
    const close = tag.endsWith('/>') ? tag.length : text.indexOf(`</${name}>`) + name.length + 3;
    const rest = text.slice(close).split('\n', 1)[0] ?? '';
    if (close < tag.length || rest.trim() !== '') return undefined;
    const further = text.slice(0, close).split('\n').length - 1;
    const { from, 'element-id': id, src, lang, ...attributes } = attributesOf(tag);
    if (name === 'code-block') {
      if (src === undefined) return undefined;
      const frame = (code: string[], file: string) => [
        `<code-block lang="${lang ?? codeLanguageOf(file)}" ignore-vars="true"><![CDATA[`,
        ...code.map((each) => each.replaceAll(']]>', ']]&gt;')),
        ']]></code-block>',
      ];
      return { include: { paths: placesOfCode(src), part: partOfCode(attributes), frame }, further };
    }
    if (id === undefined) return undefined;
    const values = valuesIn(text.slice(tag.length, close));
    const part = (written: string[]) => {
      for (const [name, value] of valuesIn(written.join('\n'))) project?.others.set(name, value);
      const element = elementLines(written, id);
      return element && putVariables(element, values);
    };
    const after = (followed: string[]) => putVariables(followed, valuesIn(followed.join('\n'))).map(withoutValues);
    const paths = from === undefined ? [path] : placesOf(from, path);
    return { include: { paths, part, after, isOfSelf: true }, further };
  };
}

const antoraFamilies: Record<string, string> = { page: 'pages', partial: 'partials', example: 'examples' };

function findInAsciidoc(path: string): Find {
  const attributes = new Map<string, string>();
  return (line) => {
    const [, name, value = ''] = /^:([\w-]+):\s*(.*)$/s.exec(line) ?? [];
    if (name !== undefined) attributes.set(name, value.trim());
    const [, written, options = ''] = /^\s*include::([^[\s][^[]*)\[(.*)\]\s*$/.exec(line) ?? [];
    if (written === undefined) return undefined;
    const target = written.replace(/\{([\w-]+)\}/g, (whole, key: string) => attributes.get(key) ?? whole);
    if (target.length > lineLengthMax) return undefined;
    const option = (key: string) =>
      new RegExp(`(?:^|,)\\s*${key}=(?:"([^"]*)"|([^,]*))`)
        .exec(options)
        ?.slice(1)
        .find((found) => found !== undefined);
    const tags = option('tags?')?.split(/[;,]/);
    const ranges = option('lines');
    const offset = Number(option('leveloffset') ?? 0);
    const part = (lines: string[]): string[] => {
      const chosen = tags ? taggedLines(lines, tags) : ranges ? linesOf(lines, ranges) : lines;
      const shown = option('indent') === undefined ? chosen : outdented(chosen);
      return offset > 0
        ? shown.map((text) => text.replace(/^(=+)(?= \S)/, `${'='.repeat(Math.min(offset, 5))}$1`))
        : shown;
    };
    return { include: { paths: antoraPlaces(target, path) ?? placesOf(target, path), part }, further: 0 };
  };
}

/** Returns the path of `module:partial$path`, a file of the same component. */
function antoraPlaces(target: string, path: string): string[] | undefined {
  const [, module, family = '', below = ''] = /^(?:([\w.-]+):)?(page|partial|example)\$(.+)$/.exec(target) ?? [];
  const [, modules, own] = /^((?:.*\/)?modules\/)([^/]+)\//.exec(path) ?? [];
  if (family === '') return undefined;
  return modules === undefined ? [] : [`${modules}${module ?? own}/${antoraFamilies[family]}/${below}`];
}

function taggedLines(lines: readonly string[], tags: readonly string[]): string[] {
  const wanted = tags.filter((tag) => !tag.startsWith('!'));
  const unwanted = tags.filter((tag) => tag.startsWith('!')).map((tag) => tag.slice(1));
  const isAll = wanted.length === 0 || wanted.some((tag) => /^\*+$/.test(tag));
  const open = new Set<string>();
  let isShown = isAll;
  return lines.filter((line) => {
    const [, kind, name = ''] = /\b(tag|end)::([\w.-]+)\[\]/.exec(line) ?? [];
    if (kind === undefined) return isShown;
    if (kind === 'tag') open.add(name);
    else open.delete(name);
    isShown = (isAll || wanted.some((tag) => open.has(tag))) && !unwanted.some((tag) => open.has(tag));
    return false;
  });
}

function findInRst(lines: readonly string[], line: string, at: number, path: string): ReturnType<Find> {
  const [, indent = '', literal, target] = /^(\s*)\.\. (literal)?include::\s+(\S+)\s*$/.exec(line) ?? [];
  if (target === undefined) return undefined;
  const { options, further } = fieldsAfter(lines, at, (text) => text.startsWith(`${indent} `) && text.trim());
  const language = options.get('language') ?? options.get('code') ?? (options.has('literal') ? 'text' : undefined);
  const isCode = literal !== undefined || language !== undefined;
  const caption = options.get('caption');
  const frame = (text: string[], from: string): string[] => [
    `.. code-block:: ${language ?? (codeLanguageOf(from) || 'text')}`,
    ...(caption === undefined ? [] : [`   :caption: ${caption || target}`]),
    '',
    ...text.map((each) => (each === '' ? '' : `   ${each}`)),
    '',
  ];
  return { include: { paths: placesOf(target, path), part: partOf(options), ...(isCode && { frame }) }, further };
}

/** Returns the `:name: value` lines below a directive, and their number. */
function fieldsAfter(
  lines: readonly string[],
  at: number,
  inside: (line: string) => string | false,
): { options: Map<string, string>; further: number } {
  const options = new Map<string, string>();
  let further = 0;
  for (let next = at + 1; next < lines.length; next++, further++) {
    const [, name, value = ''] = /^:([\w-]+):\s*(.*)$/s.exec(inside(lines[next] as string) || '') ?? [];
    if (name === undefined) break;
    options.set(name, value);
  }
  return { options, further };
}

/** Returns a function that applies the options of Sphinx's and MyST's directives to a file. */
function partOf(options: ReadonlyMap<string, string>): (lines: string[]) => string[] {
  return (lines) => {
    const named = options.get('pyobject');
    const ranges = options.get('lines');
    let part = named === undefined ? lines : objectLines(lines, named);
    if (ranges !== undefined) part = linesOf(part, ranges);
    const has = (text: string | undefined) => (line: string) => text !== undefined && line.includes(text);
    const [after, from, before, to] = ['start-after', 'start-at', 'end-before', 'end-at'].map((key) =>
      options.get(key),
    );
    const start = part.findIndex(has(after ?? from));
    if (start >= 0) part = part.slice(after === undefined ? start : start + 1);
    const end = part.findIndex(has(before ?? to));
    if (end >= 0) part = part.slice(0, before === undefined ? end + 1 : end);
    return part;
  };
}

/** Maximum nesting of an object's name: each level searches all lines of the one around it. */
const objectDepthMax = 10;

/** Returns a Python class or function with its body; methods are `Class.method`. */
function objectLines(lines: readonly string[], name: string): string[] {
  let part: readonly string[] = lines;
  for (const step of name.split('.', objectDepthMax)) {
    const start = part.findIndex((line) => /^\s*(?:async\s+)?(?:def|class)\s+(\w+)/.exec(line)?.[1] === step);
    if (start < 0) return [];
    const depth = (part[start] as string).search(/\S/);
    const end = part.findIndex((line, at) => at > start && line.trim() !== '' && line.search(/\S/) <= depth);
    part = part.slice(start, end < 0 ? undefined : end);
  }
  return part.slice(0, part.findLastIndex((line) => line.trim() !== '') + 1);
}

const anyPathSlash = String.raw`[\w@~./$-]+`;
const mdBook = new RegExp(
  String.raw`^(\s*)\{\{\s*#(include|rustdoc_include|playground)\s+(${anyPathSlash})(?::([^}\s]*))?[^}]*\}\}\s*$`,
);
const snippet = /^\s*(?:-+8<-+\s+|\{!\s*)["']?([^"'!\s]+?)(?::([\w:,.-]+))?["']?\s*(?:!\})?\s*$/;
const codeSnippet = /^\s*<<<\s*([^\s{[#]+)(?:#([\w-]+))?\s*(?:\{([\d,-]*)[^}]*\})?/;
const comment = /^\s*<!--\s*@include:\s*([^\s{#]+)(?:#([\w-]+))?(?:\{([\d,-]*)\})?\s*-->\s*$/;
const fastapi = /^\s*\{\*\s*(\S+)(?:\s+ln\[([\d:,]+)\])?.*\*\}\s*$/;
const docfxText = /^\s*\[!include\s*\[[^\]]*\]\(([^)\s]+)\)\]\s*$/i;
const docfxCode = /^\s*:::code\s+(.*?):::\s*$/;
const docfxOldCode =
  /^\s*\[!code-([\w#+-]+)\s*\[[^\]]*\]\(([^)#?\s]+)(?:#([\w-]+))?(?:\?(?:[^)\s]*&)?(?:range|name)=([\w,-]+))?[^)]*\)\]\s*$/i;
const component = /^\s*<[A-Z]\w*\b[^<>]*?\s(?:src|file)=\{?["']([^"'\s]+)["']\}?[^<>]*\/>\s*$/;
const shortcode =
  /^\s*\{[{%][<%]?-?\s*(?:include|include_relative|readfile|code|code_sample|codenew)\s+(?:file=)?["']?([^"'\s%>}]+)["']?([^}]*)\}?\}\s*$/;

function findInMarkdown(lines: readonly string[], path: string, snippetFolders: readonly string[]): Find {
  const imported = importsOf(lines);
  const include = (target: string, rest: Omit<Include, 'paths'> = {}, further = 0, paths = placesOf(target, path)) => ({
    include: { paths, ...rest },
    further,
  });
  let isFenced = false;
  return (line, at) => {
    const fence = /^\s*(?:(?:>|[-*+]|\d{1,9}[.)])\s+)*(`{3,}|~{3,})\s*(?:\{((?:literal)?include)\}\s*(\S+))?/.exec(
      line,
    );
    if (fence) {
      const directive = isFenced ? undefined : fencedDirective(lines, at, fence);
      if (directive) return include(directive.target, directive.rest, directive.further);
      isFenced = !isFenced;
      return undefined;
    }
    const book = mdBook.exec(line);
    if (book) {
      const [, , kind, target = '', place] = book;
      return include(target, {
        part: (text) => placeIn(text, place),
        ...(kind === 'playground' && { frame: fenced() }),
      });
    }
    const [, snippetPath, snippetPlace] = snippet.exec(line) ?? [];
    if (snippetPath !== undefined) {
      const part = (text: string[]) => placeIn(text, snippetPlace);
      return include(snippetPath, { part }, 0, placesOf(snippetPath, path, snippetFolders));
    }
    const [, fastapiPath, fastapiLines] = fastapi.exec(line) ?? [];
    if (fastapiPath !== undefined)
      return include(fastapiPath, {
        part: (text) => linesOf(text, fastapiLines?.replaceAll(':', '-')),
        frame: fenced(),
      });
    const [, shortcodePath, shortcodeRest = ''] = shortcode.exec(line) ?? [];
    // Hugo and Quarto resolve them in code too.
    if (isFenced) return shortcodePath === undefined || !/^\s*\{\{/.test(line) ? undefined : include(shortcodePath);
    const [, reusable] = /^\s*(?:[-*]\s+|\d+\.\s+)?\{%-?\s*data reusables\.([\w.-]+)\s*-?%\}\s*$/.exec(line) ?? [];
    if (reusable !== undefined) return include(`/data/reusables/${reusable.replaceAll('.', '/')}.md`);
    const [, codePath, region, ranges] = codeSnippet.exec(line) ?? [];
    if (codePath !== undefined)
      return include(codePath, { part: (text) => placeIn(text, region ?? ranges), frame: fenced() });
    const [, textPath, textRegion, textRanges] = comment.exec(line) ?? [];
    if (textPath !== undefined) return include(textPath, { part: (text) => placeIn(text, textRegion ?? textRanges) });
    const docfx = docfxOf(line);
    if (docfx) return include(docfx.path, docfx.rest);
    const [, name = ''] = /^\s*<([A-Z]\w*)\b[^<>]*\/>\s*$/.exec(line) ?? [];
    const [, language, raw = ''] =
      /^\s*<CodeBlock\b(?:[^<>]*?\blanguage=["'](\w+)["'])?[^<>]*>\{(\w+)\}<\/CodeBlock>\s*$/.exec(line) ?? [];
    const source = imported.get(name || raw);
    if (source !== undefined)
      return include(source, { missing: missingFile(source), ...(raw !== '' && { frame: fenced(language) }) });
    const [, componentPath] = component.exec(line) ?? [];
    if (componentPath !== undefined && isTextPath(componentPath)) return include(componentPath);
    if (shortcodePath === undefined) return undefined;
    const isCode = /\bcode=/.test(shortcodeRest) || !isTextPath(shortcodePath);
    return include(shortcodePath, isCode ? { frame: fenced() } : {});
  };
}

/** Returns MyST's `include` or `literalinclude`, which is written as a fence. */
function fencedDirective(
  lines: readonly string[],
  at: number,
  [, marks = '', directive, target]: readonly string[],
): { target: string; rest: Omit<Include, 'paths'>; further: number } | undefined {
  if (directive === undefined || target === undefined) return undefined;
  const rest = lines.slice(at + 1, at + 1 + optionLinesMax);
  const further = rest.findIndex((each) => each.trim().startsWith(marks)) + 1;
  if (further === 0) return undefined;
  const { options } = fieldsAfter(lines, at, (text) => text.trim());
  const frame = directive === 'literalinclude' ? { frame: fenced(options.get('language')) } : {};
  return { target, rest: { part: partOf(options), ...frame }, further };
}

/** Returns docfx's text include, or one of its two code includes, optionally limited to lines or a region. */
function docfxOf(line: string): { path: string; rest: Omit<Include, 'paths'> } | undefined {
  const [, text] = docfxText.exec(line) ?? [];
  if (text !== undefined) return { path: text, rest: {} };
  const [, attributes] = docfxCode.exec(line) ?? [];
  const valueOf = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(attributes ?? '')?.[1];
  const [, oldLanguage, oldPath, region, range] = docfxOldCode.exec(line) ?? [];
  const path = oldPath ?? valueOf('source');
  if (path === undefined) return undefined;
  const place = region ?? range ?? valueOf('range') ?? valueOf('id');
  const frame = fenced(oldLanguage ?? valueOf('language'));
  return { path, rest: { part: (lines) => placeIn(lines, place), frame, isOfDocfx: true } };
}

/** Returns the names that an MDX file imports for the text of other files. */
function importsOf(lines: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of lines) {
    const [, name = '', source = ''] = /^import\s+(\w+)\s+from\s+["']([^"']+)["']/.exec(line) ?? [];
    const isRaw = source.startsWith('!!raw-loader!') || source.endsWith('?raw');
    if (isRaw || /\.mdx?$/.test(source)) found.set(name, source.replace(/^!!raw-loader!|\?raw$/g, ''));
  }
  return found;
}

const isTextPath = (path: string): boolean => /(?:\.(?:mdx?|markdown|[qr]md|html?)|\/[\w-]+)$/i.test(path);

function fenced(language?: string): (lines: string[], path: string) => string[] {
  return (lines, path) => {
    const marks = lines.some((line) => line.includes('```')) ? '~~~~' : '```';
    return [`${marks}${language ?? codeLanguageOf(path)}`, ...lines, marks];
  };
}

/** Returns the lines for `2:10`, `2,5-7`, `L2-L10`, or a region name delimited by markers in the file. */
function placeIn(lines: string[], place: string | undefined): string[] {
  if (place === undefined || place === '') return lines;
  const [, from, to] = /^(\d*):(\d*)(?::.*)?$/.exec(place) ?? [];
  if (from !== undefined) return lines.slice(Math.max(0, Number(from) - 1), to ? Number(to) : undefined);
  if (/^[\d,-]+$|^L\d+(?:-L?\d+)?$/.test(place)) return linesOf(lines, place.replaceAll('L', ''));
  const start = lines.findIndex((line) => markOf(line)?.name === place && !markOf(line)?.isEnd);
  if (start < 0) return lines;
  const end = lines.findIndex((line, at) => at > start && markOf(line)?.isEnd && markOf(line)?.name === place);
  return lines.slice(start + 1, end < 0 ? undefined : end);
}

const partMark =
  /\bANCHOR(?:_END)?:\s*[\w-]+|--8<-- \[(?:start|end):|\b(?:tag|end)::[\w.-]+\[\]|^\W*#?(?:end)?region\b/;
/** docfx's region markers; in other generators, such a line is code. */
const docfxMark = /^\s*(?:\/\/|#|'|--|<!--)\s*<(\/?)([\w-]+)>\s*(?:-->)?\s*$/;

function markOf(line: string): { name: string; isEnd: boolean } | undefined {
  const [, kind = '', name = ''] =
    /\b(ANCHOR(?:_END)?):\s*([\w-]+)/.exec(line) ??
    /--8<-- \[(start|end):([\w-]+)\]/.exec(line) ??
    /^\W*#?((?:end)?region)\s+([\w-]+)/.exec(line) ??
    docfxMark.exec(line) ??
    [];
  return name === '' ? undefined : { name, isEnd: /end|\//i.test(kind) };
}

/** Returns lines by number, from 1: `1-3,5`, `2..10;15`, `7-`. */
function linesOf(lines: readonly string[], ranges: string | undefined): string[] {
  if (ranges === undefined || ranges === '') return [...lines];
  const chosen: string[] = [];
  for (const range of ranges.split(/[,;]/)) {
    const [, from = '', dash, to] = /^\s*(\d*)\s*(-|\.\.)?\s*(-?\d*)\s*$/.exec(range) ?? [];
    const last = dash === undefined ? Number(from) : Number(to) > 0 ? Number(to) : lines.length;
    const part = lines.slice(Math.max(0, Number(from || 1) - 1), last);
    // Ranges may overlap, but must not multiply a large file.
    if (chosen.length + part.length > 2 * lines.length) break;
    for (const line of part) chosen.push(line);
  }
  return chosen;
}

const conventionalFolders = ['', 'includes', 'snippets', 'examples', '_includes', '_partials'];

/**
 * Returns the possible paths of a target: relative to the file or to any folder above, because each generator has a
 * different root.
 */
function placesOf(target: string, path: string, first: readonly string[] = []): string[] {
  if (/^[a-z][\w+.-]*:\/\//i.test(target)) return [];
  // Folder names may have a prefix: `@components/shared.mdx`.
  const below = target.replace(/^(?:@site|@|~)?\/+|^[@#~](?=\w+\/)/, '');
  const folders: string[] = [];
  for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
    folders.push(folder);
    if (folder === '.' || folder === '/') break;
  }
  const names = /^\.\.?\//.test(below) ? [''] : conventionalFolders;
  const places = [...first, ...folders.flatMap((folder) => names.map((name) => posix.join(folder, name)))];
  return [...new Set(places.flatMap((place) => withEndings(posix.join(place, below))))];
}

const withEndings = (path: string): string[] => (/\.\w+$/.test(path) ? [path] : [`${path}.mdx`, `${path}.md`]);

/**
 * Returns the folders in `base_path` of the nearest `mkdocs.yml`. Reads it line by line, because these files contain
 * tags that YAML parsers reject.
 */
async function snippetFolders(path: string, read: ReadIncluded): Promise<string[]> {
  for (const place of inRoot(placesOf('./mkdocs.yml', path))) {
    const settings = await read(place);
    if (settings === undefined) continue;
    const at = /^[ \t]{0,40}base_path:/m.exec(settings)?.index;
    if (at === undefined) return [];
    const lines = settings.slice(at, at + optionLinesMax * lineLengthMax).split(/\r?\n/, optionLinesMax);
    const [first = '', ...rest] = lines.map((line) => line.replace(/(?:^|[ \t])#.*/, ''));
    const inline = first.trim().slice('base_path:'.length);
    const isList = inline.trim().startsWith('[') && !inline.includes(']');
    const end = rest.findIndex((line) => (isList ? line.includes(']') : !/^[ \t]*-[ \t]|^[ \t]*$/.test(line)));
    const further = isList
      ? rest.slice(0, end + 1)
      : inline.trim() === ''
        ? rest.slice(0, end < 0 ? undefined : end)
        : [];
    return [inline, ...further]
      .flatMap((line) => line.split(','))
      .map((item) =>
        item
          .trim()
          .replace(/^(?:[[\]-][ \t]*)+|\]$/g, '')
          .trim()
          .replace(/^(["'])(.*)\1$/, '$2'),
      )
      .filter((item) => /^[\w./-]+$/.test(item))
      .map((folder) => posix.join(posix.dirname(place), folder));
  }
  return [];
}

/** Returns a file's text; undefined if it is not UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return undefined;
  }
}
