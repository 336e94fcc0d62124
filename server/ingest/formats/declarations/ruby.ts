import { outdented } from '../margin.ts';
import { headerAt, indentOf } from './block-strings.ts';
import { type Declaration, type DeclaredFile, withOverloads } from './declaration.ts';

interface Holder {
  indent: number;
  declaration: Declaration;
  /** True if direct members are after `private` or `protected`, or excluded from the documentation. */
  isHidden: boolean;
  /** True if nested classes are excluded too. */
  hidesAll: boolean;
  /** True if its methods are class methods. */
  isClassLevel: boolean;
}

/** Nested classes with longer full names are skipped. */
const nameCharsMax = 500;
/** Maximum number of lines of a list of names. */
const listLinesMax = 30;
const namesMax = 100;
/** Maximum number of call signatures in a comment. */
const signaturesMax = 12;

const classLine =
  /^\s*(?:(?:class|module)\s+(?:::)?([A-Z][\w:]*)|([A-Z]\w*)\s*=\s*(?:Struct|Class|Module|Data)\.(?:new|define)\b.*\bdo(?:\s*\|[^|]*\|)?\s*$)/;
const methodLine =
  /^\s*(?:(?:public|module_function) )?def\s+(self\.|[A-Z]\w*\.)?([a-zA-Z_]\w*[?!=]?|[^\w\s(]{1,3})|^\s*alias\s+:?([a-z_]\w*[?!=]?)/;
const constantLine = /^\s*([A-Z]\w*)\s*(?:\|\|)?=(?![=~>])/;
const attributeLine =
  /^\s*(?:attr(?:_\w+)?|define_method|delegate|alias_method|class_attribute|config_accessor|(?:thread_)?[cm]attr_\w+)[ (]+:/;
const privateLine = /^\s*(?:private|protected|private_(?:constant|(class_)method))[ (]+:/;
const opensBlock = /\bdo(?:[ \t]{0,9}\|[^|\n]*\|)?[ \t]*$/;
/** A method or attribute without code, documented only in a comment because another method creates it. */
const ghostLine =
  /^\s*(?::((?:singleton-)?method|attr\w*):|@!(?:method|attribute)(?:[ \t]+\[\w+\])?)[ \t]+((self\.)?([\w?!=]+).*)$/;

/**
 * Finds the classes and modules in a Ruby file, with the methods, attributes and constants that have a comment directly
 * above, as in RDoc and YARD. Finds the ends of blocks by indentation. Linear.
 */
export function readRuby(text: string): DeclaredFile {
  const lines = text.split('\n');
  const found: Declaration[] = [];
  const secret = new Set<string>();
  const shown = new Set<string>();
  const root = { name: '', signatures: [], doc: '', members: found };
  const open: Holder[] = [{ indent: -1, declaration: root, isHidden: false, hidesAll: false, isClassLevel: false }];
  let comment: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] as string;
    const [, said] = /^\s*#(?!!)(.*)$/.exec(line) ?? [];
    if (said !== undefined) {
      comment.push(said);
      continue;
    }
    const holder = open.at(-1) as Holder;
    const { name: owner, members } = holder.declaration;
    const { doc, signatures, ghosts, isNoDoc: isSaidHidden, stops } = commentOf(comment);
    comment = [];
    if (stops !== undefined) holder.hidesAll = stops;
    if (!holder.hidesAll) for (const ghost of ghosts) members.push(ghost);
    const isDoc = /#\s*:doc:/.test(line);
    const isNoDoc = isSaidHidden || /#\s*:(?:nodoc|stopdoc):/.test(line);
    const [, opened, made] = classLine.exec(line) ?? [];
    if (opened !== undefined || made !== undefined) {
      const name = `${owner === '' ? '' : `${owner}::`}${opened ?? made}`;
      const signature = line.replace(/(?:#.*|;[ \t]{0,9}end|\bdo(?:\s*\|[^|]*\|)?\s*)$/, '').trim();
      const declaration: Declaration = { name, signatures: [signature], doc, members: [] };
      const hidesAll = holder.hidesAll || /:nodoc:\s*all\b/.test(line) || name.length > nameCharsMax;
      const isHidden = isNoDoc || hidesAll;
      if (!isHidden) found.push(declaration);
      if (!/\bend\s*$/.test(line))
        open.push({ indent: indentOf(line), declaration, isHidden, hidesAll, isClassLevel: false });
    } else if (/^\s*class\s*<</.test(line)) open.push({ ...holder, indent: indentOf(line), isClassLevel: true });
    else if (/^\s*end\b/.test(line) && indentOf(line) <= holder.indent) open.pop();
    else if (/^\s*(?:private|protected)\s*(?:#.*)?$/.test(line)) holder.isHidden = true;
    else if (/^\s*public\s*$/.test(line)) holder.isHidden = false;
    else if (privateLine.test(line)) {
      const mark = privateLine.exec(line)?.[1] !== undefined || holder.isClassLevel ? '.' : '';
      for (const name of namesIn(lines, at)) secret.add(`${owner}::${mark}${name}`);
    } else if (/^=begin\b/.test(line)) while (at + 1 < lines.length && !lines[at]?.startsWith('=end')) at += 1;
    else if (/^__END__\s*$/.test(line)) break;
    else if ((doc !== '' || signatures.length > 0) && !isNoDoc && !holder.hidesAll && (!holder.isHidden || isDoc)) {
      const [name, ...also] = definedAt(lines, at, holder.isClassLevel);
      if (name !== undefined) {
        if (isDoc) shown.add(`${owner}::${name}`);
        const header = headerAt(lines, at).replace(/\s*(?:#[^\n]*|;\s*end|(?:\|\|)?=)$/, '');
        members.push({ name, also, signatures: signatures.length > 0 ? signatures : [header], doc, members: [] });
      }
    }
    // `private` in a block applies to that block only.
    if (holder === open.at(-1) && opensBlock.test(line)) {
      const isClassLevel = holder.isClassLevel || /^\s*class_methods\b/.test(line);
      open.push({ ...holder, indent: indentOf(line), isClassLevel });
    }
  }
  for (const name of shown) secret.delete(name);
  return { doc: '', declarations: withoutSecret(withOverloads(found), secret) };
}

/** Removes declarations made private by name, and those without documentation. */
function withoutSecret(declarations: readonly Declaration[], secret: ReadonlySet<string>): Declaration[] {
  return declarations
    .filter(({ name }) => !isSecret(name, secret))
    .map((one) => ({
      ...one,
      members: withOverloads(one.members).filter(({ name }) => !secret.has(`${one.name}::${name}`)),
    }))
    .filter(({ doc, members }) => doc !== '' || members.length > 0);
}

/** Returns the names that a line defines; class methods start with a dot. */
function definedAt(lines: readonly string[], at: number, isClassLevel: boolean): string[] {
  const line = lines[at] as string;
  const [, self, method, alias] = methodLine.exec(line) ?? [];
  const [, constant] = constantLine.exec(line) ?? [];
  if (constant !== undefined) return [constant];
  const name = method ?? alias;
  const names = name === undefined ? (attributeLine.test(line) ? namesIn(lines, at) : []) : [name];
  const isOne = /^\s*(?:define_method|alias_method)\b/.test(line);
  return names.slice(0, isOne ? 1 : names.length).map((one) => (isClassLevel || self !== undefined ? `.${one}` : one));
}

/** Returns the symbols in a list that starts on a line. */
function namesIn(lines: readonly string[], at: number): string[] {
  let end = at;
  while (end + 1 < lines.length && end - at < listLinesMax && /,\s*$/.test(lines[end] as string)) end += 1;
  const list = lines.slice(at, end + 1).join('\n');
  return (
    /:[A-Za-z_]\w*[?!=]?(?:\s*,\s*:[A-Za-z_]\w*[?!=]?)*/
      .exec(list)?.[0]
      .match(/\w+[?!=]?/g)
      ?.slice(0, namesMax) ?? []
  );
}

/** Returns true if `private_constant` names the class or an enclosing one. */
function isSecret(name: string, secret: ReadonlySet<string>): boolean {
  for (let end = name.length; end > 0; end = name.lastIndexOf('::', end - 1))
    if (secret.has(name.slice(0, end))) return true;
  return false;
}

interface Comment {
  doc: string;
  /** Call signatures given in the comment. */
  signatures: string[];
  ghosts: Declaration[];
  isNoDoc: boolean;
  /** True if the documentation stops here, false if it resumes. */
  stops?: boolean;
}

function commentOf(comment: readonly string[]): Comment {
  const said: Comment = { doc: '', signatures: [], ghosts: [], isNoDoc: false };
  const parts: string[][] = [[]];
  for (const line of comment) {
    if (/^\s*@!(?:method|attribute)\b/.test(line)) parts.push([]);
    parts.at(-1)?.push(line);
    const [, word] = /^\s*:(stop|end|start)doc:/.exec(line) ?? [];
    if (word !== undefined) said.stops = word !== 'start';
  }
  for (const part of parts) {
    const { doc, signatures } = docOf(part);
    const ghost = part.map((line) => ghostLine.exec(line)).find(Boolean);
    if (!ghost) Object.assign(said, { doc, signatures });
    else {
      const [, kind, written = '', self, own = ''] = ghost;
      const name = kind === 'singleton-method' || self !== undefined ? `.${own}` : own;
      said.ghosts.push({ name, signatures: signatures.length > 0 ? signatures : [written.trim()], doc, members: [] });
    }
  }
  said.isNoDoc = comment.some((line) => /^[ \t]*:nodoc:/.test(line)) || /@(?:private|api private)\b/.test(said.doc);
  return said;
}

const directive =
  /^\s*(?:-\*-|frozen_string_literal:|encoding:|rubocop:|typed:|:(?:\w+doc|include|section|category|markup|nocov|(?:singleton-)?method|attr\w*):|@!)|^#+$/;

/** Returns a comment's text without comments for Ruby and its tools, and without common indentation. */
function docOf(comment: readonly string[]): { doc: string; signatures: string[] } {
  const lines: string[] = [];
  const signatures: string[] = [];
  let isNote = false;
  let isCall = false;
  for (const line of comment) {
    const [, call] = /^\s*(?:(?::)?call-seq:|@overload\b)(.*)$/.exec(line) ?? [];
    if (/^(?:--|\+\+)\s*$/.test(line)) isNote = line.startsWith('--');
    else if (isNote || directive.test(line)) continue;
    else if (call === undefined && (!isCall || line.trim() === '')) lines.push(line);
    else signatures.push((call ?? line).trim());
    isCall = call === undefined ? isCall && line.trim() !== '' : !line.includes('@');
  }
  const doc = outdented(lines).map((line) => line.trimEnd());
  return { doc: doc.join('\n').trim(), signatures: signatures.filter((one) => one !== '').slice(0, signaturesMax) };
}

const yardTags =
  /^@(?:param|option|return|raise|see|note|deprecated|since|yield\w*|author|version|todo|api|attr\w*|private|abstract)\b/;
const listItem = /^(?:([-*]|\d+\.) +|\[[^\]\n]+\](?: |$)|\S[^\n]{0,60}?::(?: |$))/;

/** A list item or YARD tag; its continuation lines may start anywhere after its marker. */
interface Item {
  indent: number;
  textIndent: number;
  /** Indentation of its text in Markdown. */
  shown: string;
}

/** Converts a Ruby comment to Markdown: RDoc headings, code and lists; YARD tags in JSDoc form. */
export function rubyMarkdown(doc: string, language = 'ruby'): string {
  const out: string[] = [];
  const items: Item[] = [];
  let code: { lines: string[]; indent: number } | undefined;
  let isFence = false;
  const endCode = (): void => {
    if (!code) return;
    const shown = items.at(-1)?.shown ?? '';
    while (code.lines.at(-1) === '') code.lines.pop();
    out.push('', `${shown}\`\`\`${language}`);
    for (const line of outdented(code.lines)) out.push(shown + line);
    out.push(`${shown}\`\`\``, '');
    code = undefined;
  };
  for (const written of withoutLinks(doc).split(/\r?\n/)) {
    const text = written.trim();
    const line = text === '' ? '' : written;
    const indent = indentOf(line);
    if (code && (text === '' || indent >= code.indent)) {
      code.lines.push(line);
      continue;
    }
    endCode();
    const isMark = /^(?:```|~~~)/.test(text);
    if (isMark) isFence = !isFence;
    const [, title] = (isFence ? null : /^@example\b[ \t]*(.*)$/.exec(line)) ?? [];
    if (isFence || isMark || text === '') out.push(line);
    else if (title !== undefined) {
      items.length = 0;
      out.push('', `**Example**${title && `: ${title}`}`, '');
    } else {
      while (items.length > 0 && indent <= (items.at(-1) as Item).indent) items.pop();
      const item = items.at(-1);
      const last = out.at(-1) ?? '';
      const isItem = listItem.test(text) || yardTags.test(text);
      if (indent >= (item?.textIndent ?? 0) + 2 && /^(?:#.*|.*:|)$/.test(last) && !(item && isItem)) {
        code = { lines: [line], indent: (item?.textIndent ?? 0) + 1 };
        continue;
      }
      if (item) item.textIndent = Math.min(item.textIndent, indent);
      const shown = item?.shown ?? '';
      out.push(shown + inlineMarkdown(text));
      if (isItem) items.push(itemOf(text, indent, shown));
    }
  }
  endCode();
  return out.join('\n');
}

/** Maximum indentation of an item's lines. */
const itemWidthMax = 20;

function itemOf(text: string, indent: number, shown: string): Item {
  const [mark = '', bullet] = listItem.exec(text) ?? [];
  const width = bullet === undefined ? 2 : Math.min(mark.length, itemWidthMax);
  // The next line determines where a label's text starts.
  return {
    indent,
    textIndent: bullet === undefined ? Number.POSITIVE_INFINITY : indent + width,
    shown: yardTags.test(text) ? shown : `${shown}${' '.repeat(width)}`,
  };
}

/** Converts RDoc links to pages to Markdown; for other links, only the text is kept. */
function withoutLinks(doc: string): string {
  return doc
    .replace(
      /\{([^{}]{1,200})\}\[((?:https?|mailto|rdoc-ref|rdoc-label|link):[^\s]{1,500}?|#[^\s]{1,500}?)\](?!\])/g,
      linkMarkdown,
    )
    .replace(/(?<![\w\]}])([\w.:#?!]{1,80})\[((?:https?:|rdoc-ref:)[^\s[\]]{1,500})\]/g, linkMarkdown)
    .replace(/\[([^\][]{1,200})\]\((rdoc-(?:ref|label):[^()\s]{1,500})\)/g, linkMarkdown);
}

function linkMarkdown(_: string, label: string, target: string): string {
  return /^(?:https?|mailto):/.test(target) ? `[${label}](${target})` : label;
}

/** Converts inline markup: removes the backslash that prevents an RDoc link; an instance variable is not a YARD tag. */
function inlineMarkdown(written: string): string {
  const line = yardTags.test(written) ? written : written.replace(/^(@@?\w+)/, '`$1`');
  return line
    .replace(/\\(?=[A-Z_#:])/g, '')
    .replace(/^(={1,6})\s+(?=\S)/, (_, marks: string) => `${'#'.repeat(marks.length)} `)
    .replace(/(?<![\w`+])\+(?![ +])([^+`\n]{1,80}?)(?<! )\+(?![\w+])/g, '`$1`')
    .replace(/<(tt|code)>([^<\n]*)<\/\1>/g, '`$2`')
    .replace(/^\[([^[\]\n]+)\](?: +|$)(?!\()/, '- **$1**: ')
    .replace(/^(?![-*] |\d+\. )(\S[^\n]{0,60}?)::(?:[ \t]+|$)/, '- $1: ')
    .replace(/^(@option\s+)\w+\s+(\[[^\]\n]*\]\s+:)/, '$1$2')
    .replace(/^(@(?:param|option|yieldparam|attr\w*)\s+)(\w+\s+)?\[([^\]\n]*)\](\s+[:\w]+)?/, yardParameter)
    .replace(/^(@(?:return|raise|yield(?:return)?)\s+)\[([^\]\n]*)\]/, '$1`$2`')
    .replace(/^@raise\b/, '@throws')
    .replace(/^@yield\b/, '@yields')
    .replace(/^@(?:option|yieldparam)\b/, '@param');
}

function yardParameter(
  _: string,
  tag: string,
  before: string | undefined,
  type: string,
  name: string | undefined,
): string {
  return `${tag}{${type}} ${`${before ?? ''}${name ?? ''}`.trim()}`;
}
