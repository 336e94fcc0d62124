import { headerAt, indentOf } from './block-strings.ts';
import { type Declaration, type DeclaredFile, withOverloads } from './declaration.ts';

interface Holder {
  indent: number;
  declaration: Declaration;
  /** What stands directly in it is below `private` or `protected`, or kept out of the documentation by its author. */
  isHidden: boolean;
  /** So are the classes in it. */
  hidesAll: boolean;
}

const definition =
  /^\s*((?:(?:public|module_function) )?def\s+(?:self\.|[A-Z]\w*\.)?([a-zA-Z_]\w*[?!=]?|[^\w\s(]{1,3})|(?:attr_(?:reader|writer|accessor)|define_method|delegate|alias_method|class_attribute|mattr_\w+|cattr_\w+)[ (]+:([a-z_]\w*[?!]?)|alias\s+:?([a-z_]\w*[?!=]?))/;

const opensBlock = /\bdo(?:[ \t]{0,9}\|[^|\n]*\|)?[ \t]*$/;

/**
 * Finds classes and modules of a file of Ruby with the methods and attributes that the comment right above each describes, as RDoc and
 * YARD do. Blocks end where their indentation says. Linear.
 */
export function readRuby(text: string): DeclaredFile {
  const lines = text.split('\n');
  const found: Declaration[] = [];
  const open: Holder[] = [];
  let comment: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] as string;
    const [, said] = /^\s*#(?!!)(.*)$/.exec(line) ?? [];
    if (said !== undefined) {
      comment.push(said);
      continue;
    }
    const holder = open.at(-1);
    const doc = docOf(comment);
    const isNoDoc =
      /#\s*:(?:nodoc|stopdoc):/.test(line) ||
      comment.some((one) => /^[ \t]*:(?:nodoc|stopdoc|enddoc):/.test(one)) ||
      /@(?:private|api private)\b/.test(doc);
    comment = [];
    const [, opened] = /^\s*(?:class|module)\s+([A-Z][\w:]*)/.exec(line) ?? [];
    if (opened !== undefined) {
      const name = holder && holder.declaration.name !== '' ? `${holder.declaration.name}::${opened}` : opened;
      const declaration: Declaration = {
        name,
        signatures: [line.replace(/(?:#.*|;[ \t]{0,9}end)$/, '').trim()],
        doc,
        members: [],
      };
      const hidesAll = holder?.hidesAll === true || /:nodoc:\s*all\b/.test(line);
      const isHidden = isNoDoc || hidesAll;
      if (!isHidden) found.push(declaration);
      if (!/\bend\s*$/.test(line)) open.push({ indent: indentOf(line), declaration, isHidden, hidesAll });
    } else if (/^\s*class\s*<</.test(line) && holder) open.push({ ...holder, indent: indentOf(line) });
    else if (holder && /^\s*end\b/.test(line) && indentOf(line) <= holder.indent) open.pop();
    else if (holder && /^\s*(?:private|protected)\s*(?:#.*)?$/.test(line)) holder.isHidden = true;
    else if (holder && /^\s*public\s*$/.test(line)) holder.isHidden = false;
    else if (/^=begin\b/.test(line)) while (at + 1 < lines.length && !lines[at]?.startsWith('=end')) at += 1;
    else if (/^__END__\s*$/.test(line)) break;
    else if (doc !== '' && !isNoDoc && holder?.isHidden !== true) {
      const [, , method, attribute, alias] = definition.exec(line) ?? [];
      const name = method ?? attribute ?? alias;
      if (name !== undefined) {
        const header = headerAt(lines, at).replace(/\s*(?:#[^\n]*|;\s*end)$/, '');
        (holder?.declaration.members ?? found).push({ name, signatures: [header], doc, members: [] });
      }
    }
    // `private` in a block holds for that block.
    if (holder === open.at(-1) && holder && opensBlock.test(line)) open.push({ ...holder, indent: indentOf(line) });
  }
  const declarations = withOverloads(found).map((one) => ({ ...one, members: withOverloads(one.members) }));
  return { doc: '', declarations: declarations.filter(({ doc, members }) => doc !== '' || members.length > 0) };
}

/** Comments for Ruby and its tools say nothing to readers; others lose the indentation that all lines have. */
function docOf(comment: readonly string[]): string {
  let isNote = false;
  const shown = comment.filter((line) => {
    if (/^(?:--|\+\+)\s*$/.test(line)) isNote = line.startsWith('--');
    return !isNote && !/^\+\+\s*$/.test(line);
  });
  const lines = shown.filter(
    (line) =>
      !/^\s*(?:-\*-|frozen_string_literal:|encoding:|rubocop:|typed:|:(?:startdoc|include|section|nocov):|(?::)?call-seq:)|^#*$/.test(
        line,
      ) || line === '',
  );
  const indents = lines.filter((line) => line.trim() !== '').map(indentOf);
  const indent = indents.reduce((least, one) => Math.min(least, one), indents[0] ?? 0);
  return lines
    .map((line) => line.slice(indent).trimEnd())
    .join('\n')
    .trim();
}

const yardTags =
  /^\s*@(?:param|option|return|raise|see|note|deprecated|since|yield\w*|overload|author|version|todo|api|attr\w*|private|abstract)\b/;
const listItem = /^\s*(?:[-*] |\d+\. |\[[^\]\n]+\]|\S[^\n]{0,60}?::(?: |$))/;

/** A comment of Ruby as Markdown: headings, code and lists of RDoc, tags of YARD with their types in brackets as those of JSDoc. */
export function rubyMarkdown(doc: string): string {
  const out: string[] = [];
  let isFence = false;
  let isInList = false;
  let isCode = false;
  for (const line of doc.split('\n')) {
    const [, title] = (isFence ? null : /^@example\b[ \t]*(.*)$/.exec(line)) ?? [];
    if (title !== undefined) {
      if (isCode) out.push('```');
      out.push('', `**Example**${title && `: ${title}`}`, '');
      isCode = isInList = false;
      continue;
    }
    const isBlank = line.trim() === '';
    const isStart = !isCode && !isFence && !isInList && !isBlank && indentOf(line) >= 2;
    if (/^\s*(?:```|~~~)/.test(line) && !isCode) isFence = !isFence;
    if (isStart && (out.length === 0 || out.at(-1) === '' || out.at(-1)?.endsWith(':'))) {
      isCode = true;
      out.push('', '```ruby');
    } else if (isCode && !isBlank && indentOf(line) < 2) {
      while (out.at(-1) === '') out.pop();
      out.push('```', '');
      isCode = false;
    }
    if (!isCode && !isFence && !isBlank && (indentOf(line) === 0 || listItem.test(line) || yardTags.test(line)))
      isInList = listItem.test(line) || yardTags.test(line);
    out.push(isCode ? line.replace(/^ {1,2}/, '') : isFence ? line : inlineMarkdown(line));
  }
  return [...out, ...(isCode ? ['```'] : [])].join('\n');
}

/** A backslash keeps RDoc from making a link of a name; a variable of an object is no tag of YARD. */
function inlineMarkdown(written: string): string {
  const line = yardTags.test(written) ? written : written.replace(/^(\s*)(@@?\w+)/, '$1`$2`');
  return line
    .replace(/\\(?=[A-Z_#:])/g, '')
    .replace(/^(={1,6})\s+(?=\S)/, (_, marks: string) => `${'#'.repeat(marks.length)} `)
    .replace(/(?<![\w`])\+([\w:.?!@#=-]+)\+(?!\w)/g, '`$1`')
    .replace(/<(tt|code)>([^<\n]*)<\/\1>/g, '`$2`')
    .replace(/^(\s*)\[([^[\]\n]+)\](?: +|$)(?!\()/, '$1- **$2**: ')
    .replace(/^(\s*)([`\w:+][^\n]{0,60}?)::(?:[ \t]+|$)/, '$1- $2: ')
    .replace(/^(\s*@(?:param|option|yieldparam|attr\w*)\s+)(\w+\s+)?\[([^\]\n]*)\](\s+\w+)?/, yardParameter)
    .replace(/^(\s*@(?:return|raise|yield(?:return)?)\s+)\[([^\]\n]*)\]/, '$1`$2`')
    .replace(/^(\s*)@raise\b/, '$1@throws')
    .replace(/^(\s*)@(?:option|yieldparam)\b/, '$1@param');
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
