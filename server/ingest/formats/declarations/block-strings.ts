import { type Declaration, type DeclaredFile, signatureOf } from './declaration.ts';

/** Longer headers are no headers. */
const headerLinesMax = 30;
/** Methods of one function that are shown. */
const signaturesMax = 12;
/** Modules within modules; deeper ones are left out. */
const nestingMax = 8;

export const indentOf = (line: string): number => line.length - line.trimStart().length;
const unescaped = (text: string): string => text.replace(/\\([\\"#$])/g, '$1');

/** Lines up to the one that a mark begins, less the indentation of that one, and where the text goes on. */
function blockFrom(lines: readonly string[], from: number, mark: string): { text: string; next: number } {
  let end = from;
  while (end < lines.length && !lines[end]?.trimStart().startsWith(mark)) end += 1;
  const indent = indentOf(lines[end] ?? '');
  const body = lines.slice(from, end).map((line) => line.slice(Math.min(indent, indentOf(line))).trimEnd());
  return { text: body.join('\n').trim(), next: end };
}

/** The first lines of a declaration, until its brackets are closed. */
export function headerAt(lines: readonly string[], at: number): string {
  let depth = 0;
  let end = at;
  for (; end < Math.min(lines.length, at + headerLinesMax); end += 1) {
    for (const { 0: sign } of (lines[end] as string).matchAll(/"(?:[^"\\]|\\.)*"?|[()[\]{}]/g))
      depth += /^[([{]$/.test(sign) ? 1 : /^[)\]}]$/.test(sign) ? -1 : 0;
    if (depth <= 0) break;
  }
  return signatureOf(lines.slice(at, end + 1).join('\n'), ' '.repeat(indentOf(lines[at] as string)));
}

/** An attribute of Elixir with the lines that go on below it. */
function attributeAt(lines: readonly string[], at: number): string {
  const indent = indentOf(lines[at] as string);
  let end = at + 1;
  while (
    end < Math.min(lines.length, at + headerLinesMax) &&
    lines[end]?.trim() &&
    indentOf(lines[end] as string) > indent
  )
    end += 1;
  return signatureOf(lines.slice(at, end).join('\n'), ' '.repeat(indent));
}

interface ElixirModule {
  indent: number;
  name: string;
  doc: string;
  isHidden: boolean;
  members: (Declaration & { arity: number })[];
}

const elixirDoc = /^\s*@(module|type)?doc\s+(~[sS])?("""|'''|"(?:[^"\\]|\\.)*"|false\b)/;
const elixirDefinition = /^\s*(?:def(?:macro|guard|delegate)?|@(?:(?:macro)?callback|type|opaque))\s+(.*)$/;
/** Signs between two operands, a range with its step, signs in front of one, what only a quoted name can name. */
const elixirOperator =
  /^(?:\w+\s+([^\w\s("',]{1,4}|and|or|in)\s+\w|\w+(\.\.)\w+(?:(\/\/)\w)?|(\(\.\.\))|([+!^@-])\w|unquote\(:"?([^\s()"]+)"?\))/;

/**
 * Finds the modules of a file of Elixir, each with the functions, macros, callbacks and types that `@doc` or `@typedoc` describes, as
 * ExDoc names them; those of one name by their arity as well. Linear.
 */
export function readElixir(text: string): DeclaredFile {
  const lines = text.split('\n');
  const modules: ElixirModule[] = [];
  const open: ElixirModule[] = [];
  let [doc, specs]: [string, string[]] = ['', []];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] as string;
    const module = open.at(-1);
    const [isOpening, opened] =
      /^\s*def(?:module|protocol|impl)\s(?:.*\s)?do\s*$/.exec(line) === null
        ? []
        : [true, /^\s*def(?:module|protocol)\s+(?:__MODULE__\.)?([A-Z][\w.]*)\s+do\b/.exec(line)?.[1]];
    const [, kind, sigil, mark = ''] = elixirDoc.exec(line) ?? [];
    if (isOpening === true) {
      // What has no name of its own, an implementation of a protocol or a module that a macro names, is not shown.
      const isHidden = opened === undefined || module?.isHidden === true || open.length >= nestingMax;
      const name = isHidden ? '' : module ? `${module.name}.${opened}` : opened;
      const inner: ElixirModule = { indent: indentOf(line), name, doc: '', isHidden, members: [] };
      if (!isHidden) modules.push(inner);
      open.push(inner);
      [doc, specs] = ['', []];
    } else if (module && indentOf(line) === module.indent && /^\s*end\b/.test(line)) open.pop();
    else if (mark !== '') {
      const isBlock = /^("""|''')$/.test(mark);
      const block = isBlock ? blockFrom(lines, at + 1, mark) : { text: mark.replace(/^"|"$|^false$/g, ''), next: at };
      const said = sigil === '~S' ? block.text : unescaped(block.text);
      at = block.next;
      if (kind !== 'module') doc = said;
      // Code that a macro makes may hold others.
      else if (module && indentOf(line) <= module.indent + 2)
        [module.doc, module.isHidden] = [said, module.isHidden || mark === 'false'];
    } else if (/^\s*@spec\s/.test(line)) specs.push(attributeAt(lines, at));
    else if (/^\s*(?:defp|defmacrop|defguardp|@typep)\s/.test(line)) [doc, specs] = ['', []];
    else {
      const { name, arity } = elixirNameOf(line);
      if (name !== undefined && module) {
        const header = line.trimStart().startsWith('@') ? attributeAt(lines, at) : headerAt(lines, at);
        const shown = withoutBody(header);
        const signatures = [shown, ...specs];
        if (doc !== '') module.members.push({ name, signatures, doc, members: [], arity: arity ?? arityOf(shown) });
        [doc, specs] = ['', []];
      } else if (/^\s*def\w*\s/.test(line)) [doc, specs] = ['', []];
      const [, other] = line.trimStart().startsWith('#') ? [] : (/("""|''')\s*$/.exec(line) ?? []);
      if (other !== undefined) at = blockFrom(lines, at + 1, other).next;
    }
  }
  const shown = modules.filter(({ isHidden, doc, members }) => !isHidden && (doc !== '' || members.length > 0));
  return {
    doc: '',
    declarations: shown.map(({ name, doc, members }) => ({ name, doc, signatures: [], members: byArity(members) })),
  };
}

/** What a line of Elixir defines, and how many operands it has if it is an operator. */
function elixirNameOf(line: string): { name?: string | undefined; arity?: number } {
  const [, rest = ''] = elixirDefinition.exec(line) ?? [];
  const [, sign, range, step = '', empty, prefix, quoted] =
    (/^\s*@/.test(line) ? null : elixirOperator.exec(rest)) ?? [];
  if (range !== undefined) return { name: range + step, arity: step === '' ? 2 : 3 };
  if (sign !== undefined) return { name: sign, arity: 2 };
  if (empty !== undefined) return { name: '..', arity: 0 };
  if (prefix !== undefined) return { name: prefix, arity: 1 };
  return { name: quoted ?? /^[a-z_]\w*[?!]?/.exec(rest)?.[0] };
}

/** A header up to its `do`, or the `do:` outside of its brackets. */
function withoutBody(header: string): string {
  let depth = 0;
  for (const { 0: sign, index } of header.matchAll(/"(?:[^"\\]|\\.)*"?|[()[\]{}]|,\s{0,40}do:/g)) {
    if (/^[([{]$/.test(sign)) depth += 1;
    else if (/^[)\]}]$/.test(sign)) depth -= 1;
    else if (depth === 0 && sign.endsWith('do:')) return header.slice(0, index);
  }
  return header.replace(/\sdo$/, '').trimEnd();
}

/** How many parameters stand in the first brackets of a header. */
function arityOf(header: string): number {
  let depth = 0;
  let count = 0;
  let isEmpty = true;
  // The brackets of a quoted name hold no parameters.
  const parameters = header.replace(/\bunquote\(:[^()]*\)/, '');
  for (const { 0: sign } of parameters.matchAll(/"(?:[^"\\]|\\.)*"?|<<|>>|\S/g)) {
    if (/^(?:[([{]|<<)$/.test(sign)) depth += 1;
    else if (/^(?:[)\]}]|>>)$/.test(sign)) depth -= 1;
    else if (sign === ',' && depth === 1) count += 1;
    if (depth === 0 && sign === ')') break;
    if (depth > 0 && sign !== '(') isEmpty = false;
  }
  return isEmpty ? 0 : count + 1;
}

function byArity(members: readonly (Declaration & { arity: number })[]): Declaration[] {
  const arities = new Map<string, Set<number>>();
  for (const { name, arity } of members) arities.set(name, (arities.get(name) ?? new Set()).add(arity));
  return members.map(({ arity, name, ...rest }) => ({
    name: (arities.get(name)?.size ?? 1) > 1 ? `${name}/${arity}` : name,
    ...rest,
  }));
}

const juliaDoc = /^\s*(?:@doc\s+)?(raw|doc|md)?"""/;
const juliaShort = /^\s*(?:@doc\s+)?"((?:[^"\\]|\\.)+)"(?:\s+(@?[\w.!]+))?\s*$/;
const juliaStruct = /^\s*(?:[\w.]*@\w+\s+)*(?:mutable\s+)?struct\s+([\p{L}_][\p{L}\p{N}_]*)/u;
const juliaField = /^\s*(?:const\s+)?([\p{L}_][\p{L}\p{N}_!]*)\s*(?:::|=(?!=)|$)/u;
const juliaKeyword =
  /^(?:(macro)|function|(?:mutable\s+)?struct|const|abstract\s+type|primitive\s+type|(?:bare)?module)\s+/;
const juliaReserved =
  /^(?:end|for|if|else|elseif|while|return|begin|let|try|catch|do|import|using|export|function|local|global)$/;

/** What a line of Julia names: a function, also an operator or what calls a type, a type, a constant, a macro. */
function juliaNameOf(line: string): string | undefined {
  const text = line
    .trim()
    .slice(0, 1_000)
    .replace(/^(?:[\w.]*@\w+(?:\([^()]*\))?\s+)*/, '');
  const [keyword = '', macro] = juliaKeyword.exec(text) ?? [];
  const rest = text.slice(keyword.length);
  const [, type] = /^\(\s*\w*::\s*([\w.]+)[^()]*\)/.exec(rest) ?? [];
  const [, operator] = /^(?:[\w.]+\.)?:?\(?([^\w\s(),.;:"'@#]{1,3})\)?\(/u.exec(rest) ?? [];
  const [word] = /^:?@?[\p{L}_](?:[\p{L}\p{N}_!]|\.(?=[\p{L}_]))*/u.exec(rest) ?? [];
  const name = type ?? operator ?? word?.replace(/^:/, '');
  // A field of a structure has no brackets.
  const isField = keyword === '' && word !== undefined && /^\s*::/.test(rest.slice(word.length));
  if (name === undefined || juliaReserved.test(name) || isField) return undefined;
  return macro === undefined ? name : `@${name}`;
}

/**
 * Finds what strings in a file of Julia describe: each stands right above a declaration or name. Signatures are the indented lines that
 * begin the text, else the declaration. Linear.
 */
export function readJulia(text: string): DeclaredFile {
  const lines = text.split('\n');
  const found = new Map<string, { signatures: string[]; docs: string[]; members: Declaration[] }>();
  let struct: { name: string; indent: number } | undefined;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] as string;
    if (/^\s*#=/.test(line)) while (at + 1 < lines.length && !lines[at]?.includes('=#')) at += 1;
    if (/^\s*#/.test(line)) continue;
    const [start, sigil] = juliaDoc.exec(line) ?? [];
    const [, short, named = ''] = juliaShort.exec(line) ?? [];
    const [, opened] = juliaStruct.exec(line) ?? [];
    if (opened !== undefined && !line.trimEnd().endsWith('end')) struct = { name: opened, indent: indentOf(line) };
    else if (struct && /^\s*end\b/.test(line) && indentOf(line) <= struct.indent) struct = undefined;
    if (start === undefined && short === undefined) {
      // A string over several lines that describes nothing.
      if (line.split('"""').length % 2 === 0)
        do at += 1;
        while (at < lines.length && closeOf(lines[at] as string) < 0);
      continue;
    }
    const block =
      start === undefined ? { text: short ?? '', end: at, after: named } : stringFrom(lines, at, start.length);
    at = block.end;
    const after = block.after.replace(/^\s*(?:->)?\s*(?:#.*)?/, '');
    const declared = after === '' ? (lines[at + 1] ?? '') : after;
    const name = juliaNameOf(declared);
    const said = sigil === undefined ? unescaped(block.text) : block.text;
    const [, field] = (struct && juliaField.exec(declared)) ?? [];
    if (struct && field !== undefined && !juliaReserved.test(field)) {
      const one = { name: field, signatures: [declared.trim()], doc: said.trim(), members: [] };
      const holder = found.get(struct.name) ?? { signatures: [`struct ${struct.name}`], docs: [], members: [] };
      holder.members.push(one);
      found.set(struct.name, holder);
      continue;
    }
    const isDeclared =
      start !== undefined ||
      named !== '' ||
      /^\s*(?:function|macro|(?:mutable\s+)?struct|const|abstract)\s|\)[^=]{0,200}=(?!=)/.test(
        declared.slice(0, 1_000),
      );
    if (name === undefined || !isDeclared || block.text === '') continue;
    const [head = ''] = /^(?:(?: {4}|\t).*(?:\n|$))+/.exec(said) ?? [];
    const header = after === '' ? juliaHeaderAt(lines, at + 1) : after;
    const known = found.get(name) ?? { signatures: [], docs: [], members: [] };
    if (known.signatures.length < signaturesMax)
      known.signatures.push(head.trim() === '' ? header : signatureOf(head, '    '));
    known.docs.push(said.slice(head.length).trim());
    found.set(name, known);
  }
  const declarations = [...found].map(([name, { signatures, docs, members }]) => ({
    name,
    signatures,
    doc: docs.join('\n\n').trim(),
    members,
  }));
  return { doc: '', declarations };
}

/** A header without the body that an equals sign begins. */
function juliaHeaderAt(lines: readonly string[], at: number): string {
  const header = headerAt(lines, at);
  return header.replace(/(\)(?:\s*where\s[^=]*)?)\s*=(?!=)[^]*$/, '$1').trimEnd();
}

/** Where three quotes end a string that began before; -1 where none do. */
function closeOf(line: string): number {
  let at = line.indexOf('"""');
  while (at > 0 && line[at - 1] === '\\') at = line.indexOf('"""', at + 1);
  return at;
}

/** The string of Julia that is open at a place of a line; its indentation is the least that its lines have. */
function stringFrom(lines: readonly string[], at: number, from: number): { text: string; end: number; after: string } {
  const body: string[] = [];
  let end = at;
  let rest = (lines[at] as string).slice(from);
  let close = closeOf(rest);
  while (close < 0 && end + 1 < lines.length) {
    body.push(rest);
    end += 1;
    rest = lines[end] as string;
    close = closeOf(rest);
  }
  const last = close < 0 ? rest : rest.slice(0, close);
  const others = [...body, last];
  const first = others.shift() ?? '';
  const indents = others.filter((line) => line.trim() !== '').map(indentOf);
  const indent = indents.reduce((least, one) => Math.min(least, one), close < 0 ? 0 : indentOf(rest));
  const text = [first.trim(), ...others.map((line) => line.slice(indent).trimEnd())].join('\n');
  return { text: text.replace(/^(?:[ \t]*\n)+/, '').trimEnd(), end, after: close < 0 ? '' : rest.slice(close + 3) };
}
