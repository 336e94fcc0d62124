import { parse as parseToml, TomlError } from 'smol-toml';
import { ParseError } from '../parse/parse-error.ts';
import type { DocumentFormat } from './format-of.ts';
import { type Fields, fieldsOf, parseData, textOf } from './parsed-data.ts';
import { nearestText, type ReadIncluded } from './read-included.ts';

/** A mark in a text that refers to a value in the project's settings. */
interface Mark {
  pattern: RegExp;
  /**
   * Returns the possible settings files (next to the text or in a folder above) with the value's key in each, from the
   * outermost field.
   */
  places(found: RegExpExecArray): [file: string, key: string][];
}

const braces = String.raw`(?<!\$)\{\{-?\s*`;
const markdownMarks: Mark[] = [
  {
    pattern: new RegExp(String.raw`${braces}(?:config\.extra\.|extra\.)?([\w.-]+)\s*-?\}\}`, 'g'),
    places: ([, key]) => [
      ['docset.yml', `subs.${key}`],
      ['_docset.yml', `subs.${key}`],
      ['mkdocs.yml', `extra.${key}`],
      ['mkdocs.yaml', `extra.${key}`],
      ['_config.yml', `parse.myst_substitutions.${key}`],
      ['conf.py', `myst_substitutions.${key}`],
    ],
  },
  {
    pattern: new RegExp(String.raw`${braces}site\.([\w.-]+)\s*-?\}\}`, 'g'),
    places: ([, key = '']) => {
      const [, file, name = ''] = /^data\.([\w-]+)\.(.+)$/.exec(key) ?? [];
      return (file === undefined ? ['_config'] : [`_data/${file}`]).flatMap((place): [string, string][] => [
        [`${place}.yml`, file === undefined ? key : name],
        [`${place}.yaml`, file === undefined ? key : name],
      ]);
    },
  },
  {
    pattern: /\{\{[<%]\s*param\s+"?([\w.-]+)"?\s*[>%]\}\}/g,
    places: ([, key = '']) => [
      ...['hugo', 'config', 'config/_default/hugo'].flatMap((name) => withEndings(name, `params.${key}`)),
      ...withEndings('config/_default/params', key),
    ],
  },
  {
    pattern: /(?<!\{)\{\{<\s*(meta|var)\s+"?([\w.-]+)"?\s*>\}\}(?!\})/g,
    places: ([, kind, key = '']) =>
      kind === 'var'
        ? [['_variables.yml', key]]
        : ['_metadata.yml', '_quarto.yml'].map((name): [string, string] => [name, key]),
  },
  {
    pattern: /\{%-?\s*data variables\.([\w-]+)\.([\w.-]+)\s*-?%\}/g,
    places: ([, file, key = '']) => [[`data/variables/${file}.yml`, key]],
  },
];
const rstMarks: Mark[] = [
  { pattern: /\{\+([\w.-]+)\+\}/g, places: ([, key]) => [['snooty.toml', `constants.${key}`]] },
];
const marksOf: Partial<Record<DocumentFormat, Mark[]>> = { markdown: markdownMarks, mdx: markdownMarks, rst: rstMarks };
function withEndings(name: string, key: string): [string, string][] {
  return ['toml', 'yaml', 'yml'].map((ending) => [`${name}.${ending}`, key]);
}

/** Maximum depth of values that refer to other values. */
const depthMax = 3;
const valueCharactersMax = 1_000;
/** Longer keys are not settings, and larger files are not project settings. */
const keyCharactersMax = 200;
const settingsCharactersMax = 100_000;
/** Maximum number of characters that values may add to one text. */
const addedMax = 1_000_000;
const namesMax = 2_000;
/** Maximum number of settings files searched per text. */
const filesMax = 200;
const keptMax = 50;

/**
 * Replaces marks with values from the project's settings: Elastic's `{{es}}` (`docset.yml`), MkDocs' `{{ name }}`
 * (`extra` in `mkdocs.yml`), MyST's `{{ name }}` (page first), Jekyll's `{{ site.name }}` and `{{ site.data.file.name
 * }}`, Hugo's `{{< param name >}}`, GitHub's `{% data variables.file.name %}`, Quarto's `{{< meta name >}}` (page
 * first) and `{{< var name >}}`, and `{+name+}` (`snooty.toml`). Marks without a value stay.
 */
export async function putValues(
  text: string,
  { path, format, read }: { path: string; format: DocumentFormat; read: ReadIncluded },
): Promise<string> {
  let written = text;
  const settings = new Map<string, Fields>();
  const most = text.length + addedMax;
  let page: Fields | undefined;
  for (const { pattern, places } of marksOf[format] ?? []) {
    const values = new Map<string, string | undefined>();
    for (let depth = 0; depth < depthMax; depth += 1) {
      for (const found of written.matchAll(pattern)) {
        const [mark] = found;
        if (values.has(mark) || values.size >= namesMax) continue;
        values.set(mark, undefined);
        const own = ownKeysOf(mark, found)
          .map((key) => valueAt((page ??= ownSettings(text, path)), key))
          .find((value) => value !== undefined);
        if (own !== undefined) {
          values.set(mark, own);
          continue;
        }
        for (const [name, key] of mark.length > keyCharactersMax ? [] : places(found)) {
          if (!settings.has(name) && settings.size >= filesMax) continue;
          const fields = settings.get(name) ?? (await nearestOf(name, path, read));
          settings.set(name, fields);
          const value = valueAt(fields, key);
          if (value === undefined) continue;
          values.set(mark, value);
          break;
        }
      }
      if (![...values.values()].some((value) => value !== undefined)) break;
      const isRaw = rawTextOf(written);
      let length = written.length;
      const next = written.replace(pattern, (mark: string, ...rest: unknown[]) => {
        const value = values.get(mark);
        const at = rest.find((part) => typeof part === 'number') as number;
        if (value === undefined || length + value.length - mark.length > most || isRaw(at)) return mark;
        length += value.length - mark.length;
        return value;
      });
      if (next === written) break;
      written = next;
    }
  }
  return written;
}

/** Returns the possible keys of a mark's value in the page's own settings (Quarto, MyST, Elastic). */
function ownKeysOf(mark: string, [, key = '', meta = '']: RegExpExecArray): string[] {
  if (/^\{\{<\s*meta\s/.test(mark)) return [meta];
  return /^\{\{-?\s*[\w.-]+\s*-?\}\}$/.test(mark)
    ? ['myst.substitutions', 'substitutions', 'sub'].map((name) => `${name}.${key}`)
    : [];
}

/** Returns a function that tests whether a position is in Jekyll's raw text; call it with increasing positions. */
function rawTextOf(text: string): (at: number) => boolean {
  const [open, close] = [/\{%-?\s{0,9}raw\s{0,9}-?%\}/g, /\{%-?\s{0,9}endraw\s{0,9}-?%\}/g];
  let [from, to] = [0, 0];
  return (at) => {
    while (at >= to && from >= 0) {
      open.lastIndex = to;
      const opened = open.exec(text);
      close.lastIndex = open.lastIndex;
      const closed = opened && close.exec(text);
      [from, to] = closed ? [opened.index, close.lastIndex] : [-1, to];
    }
    return from >= 0 && at >= from;
  };
}

/**
 * Returns RST lines that define the names (`|name|`) used in a text but defined by the project: in `rst_prolog`,
 * `rst_epilog`, `version` and `release` of Sphinx's `conf.py`, or as substitutions in `snooty.toml`. None if the text
 * uses no names.
 */
export async function projectNames(text: string, path: string, read: ReadIncluded): Promise<string[]> {
  const wanted = namesIn(text);
  if (wanted.length === 0) return [];
  const own = new Set([...text.matchAll(/\.\. \|([^|\n]+)\|/g)].map(([, name]) => name));
  const settings = ((await nearestText('conf.py', path, read))?.text ?? '').slice(0, settingsCharactersMax);
  const everywhere = ['rst_prolog', 'rst_epilog'].flatMap((name) => linesOfSetting(settings, name));
  const { definitions, further } = definitionsIn(everywhere);
  const values = Object.entries(fieldsOf((await nearestOf('snooty.toml', path, read)).substitutions));
  const versions = settings.matchAll(/^(version|release)\s*=\s*(['"])([^'"\n{]+)\2/gm);
  for (const [, name = '', , value] of versions) values.push([name, value]);
  for (const [name, written] of values) {
    const value = textOf(written);
    if (value === '' || value.includes('\n') || definitions.has(name)) continue;
    definitions.set(name, [`.. |${name}| replace:: ${value}`]);
  }
  const lines: string[] = [];
  for (const name of wanted) {
    const definition = own.has(name) ? undefined : definitions.get(name);
    if (definition === undefined) continue;
    // Each definition is added once, with the names it uses itself.
    definitions.delete(name);
    lines.push(...definition);
    if (wanted.length < namesMax) wanted.push(...namesIn(definition.slice(0, 9).join('\n')));
  }
  return lines.length + further.length === 0 ? [] : ['', ...lines, ...further];
}

function namesIn(text: string): string[] {
  return [...text.matchAll(/\|([^|\s][^|\n]{0,60})\|/g)].slice(0, namesMax).map(([, name]) => name as string);
}

/** Returns the lines of a triple-quoted setting; none if it is missing. */
function linesOfSetting(settings: string, name: string): string[] {
  const found = new RegExp(String.raw`^${name}[ \t]*=[ \t]*r?("""|''')`, 'm').exec(settings);
  if (found === null) return [];
  const from = found.index + found[0].length;
  const to = settings.indexOf(found[1] as string, from);
  return to < 0 ? [] : settings.slice(from, to).split(/\r?\n/);
}

/**
 * Returns the definitions by name, and the targets and includes. Other text is skipped, because it appears on every
 * page.
 */
function definitionsIn(lines: readonly string[]): { definitions: Map<string, string[]>; further: string[] } {
  const definitions = new Map<string, string[]>();
  const further: string[] = [];
  let current: string[] | undefined;
  for (const line of lines) {
    if (line.trim() === '') continue;
    if (/^\S/.test(line)) {
      current = undefined;
      // A program fills in the braces.
      if (/\{\w*\}/.test(line)) continue;
      const [, name] = /^\.\. \|([^|]+)\| \w+::/.exec(line) ?? [];
      if (/^\.\. (?:_[^:]+:|include::) /.test(line)) current = further;
      else if (name !== undefined && !definitions.has(name)) {
        current = [];
        definitions.set(name, current);
      }
    }
    current?.push(line);
  }
  return { definitions, further };
}

/** Returns the value of `a.b`: the field `a.b`, or `b` in `a`. */
function valueAt(settings: Fields, key: string): string | undefined {
  const value = fieldAt(settings, key.split('.'));
  const text =
    typeof value === 'number' ? String(value) : textOf(value === true || value === false ? '' : value).trim();
  return text !== '' && text.length <= valueCharactersMax && !/[\n%]/.test(text) ? text : undefined;
}

function fieldAt(fields: Fields, [first = '', ...rest]: string[]): unknown {
  const whole = [first, ...rest].join('.');
  if (Object.hasOwn(fields, whole)) return fields[whole];
  return rest.length > 0 && Object.hasOwn(fields, first) ? fieldAt(fieldsOf(fields[first]), rest) : undefined;
}

/** Cache of parsed files by path, with the source text: all pages of a project need the same files. */
const kept = new Map<string, { text: string; fields: Fields }>();

/**
 * Returns the fields of a settings file next to a text or in the nearest folder above; none if it is too large or
 * damaged.
 */
export async function nearestOf(name: string, path: string, read: ReadIncluded): Promise<Fields> {
  const found = await nearestText(name, path, read);
  if (found === undefined) return {};
  const known = kept.get(found.path);
  if (known?.text === found.text) return known.fields;
  const fields = parseSettings(found);
  if (kept.size >= keptMax) kept.delete(kept.keys().next().value as string);
  kept.set(found.path, { text: found.text, fields });
  return fields;
}

/** Returns a page's own settings (front matter). */
function ownSettings(text: string, path: string): Fields {
  const start = text
    .slice(0, settingsCharactersMax)
    .replace(/^\ufeff/, '')
    .replaceAll('\r\n', '\n');
  const [, own] = /^---\n([^]*?)\n---\s*$/m.exec(start) ?? [];
  return own === undefined || !start.startsWith('---\n') ? {} : parseSettings({ path: `${path}.yml`, text: own });
}

function parseSettings({ path, text }: { path: string; text: string }): Fields {
  if (text.length > settingsCharactersMax) return {};
  try {
    if (path.endsWith('.py')) return substitutionsOf(text);
    const fields = fieldsOf(path.endsWith('.toml') ? parseToml(text) : parseData(text, path));
    // Without a macro plugin, MkDocs leaves such marks unchanged.
    const isMkdocs = /mkdocs\.ya?ml$/.test(path);
    return isMkdocs && !pluginsOf(fields).some((name) => /macros|markdownextradata/.test(name)) ? {} : fields;
  } catch (error) {
    // Damaged, or expands without bound: the pages are read without it.
    if (error instanceof ParseError || error instanceof TomlError || error instanceof RangeError) return {};
    throw error;
  }
}

/** Returns the strings in `myst_substitutions` of Sphinx's `conf.py`. */
function substitutionsOf(settings: string): Fields {
  const [, body = ''] = settings.split(/^myst_substitutions\s*=\s*\{/m, 2);
  const [own = ''] = body.split(/^\}|\}(?:[ \t]+#.*|[ \t]*)$/m, 1);
  const pairs = own.matchAll(
    /(['"])(?<=(?:^|,)\s{0,40}['"])([\w-]+)\1\s{0,9}:\s{0,40}(['"])((?:\\.|(?!\3)[^\\\n])*)\3(?=[ \t]{0,40}(?:,|#|$))/gm,
  );
  return { myst_substitutions: Object.fromEntries([...pairs].map(([, , name, , value]) => [name, value])) };
}

function pluginsOf({ plugins }: Fields): string[] {
  const written = Array.isArray(plugins) ? plugins : [plugins];
  return written.flatMap((plugin) => (typeof plugin === 'string' ? [plugin] : Object.keys(fieldsOf(plugin))));
}
