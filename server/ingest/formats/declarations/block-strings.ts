import { type Declaration, type DeclaredFile, signatureOf } from './declaration.ts';

/** Longer headers are no headers. */
const headerLinesMax = 30;
/** Methods of one function that are shown. */
const signaturesMax = 12;

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
    for (const { 0: sign } of (lines[end] as string).matchAll(/"(?:[^"\\]|\\.)*"|[()[\]{}]/g))
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
const elixirDefinition =
  /^\s*(?:def(?:macro|guard|delegate)?\s+|@(?:macro)?callback\s+|@(?:type|opaque)\s+)(?:\w+\s+([^\w\s("':,]{1,4}|and|or|in)\s+\w|([a-z_]\w*[?!]?))/;

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
    const [, opened] = /^\s*def(?:module|protocol)\s+([A-Z][\w.]*)\s+do\b/.exec(line) ?? [];
    const [, kind, sigil, mark = ''] = elixirDoc.exec(line) ?? [];
    if (opened !== undefined) {
      const name = module ? `${module.name}.${opened}` : opened;
      const inner: ElixirModule = {
        indent: indentOf(line),
        name,
        doc: '',
        isHidden: module?.isHidden === true,
        members: [],
      };
      modules.push(inner);
      open.push(inner);
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
      const [, operator, word] = elixirDefinition.exec(line) ?? [];
      const name = operator ?? word;
      if (name !== undefined && module) {
        const header = line.trimStart().startsWith('@') ? attributeAt(lines, at) : headerAt(lines, at);
        const shown = header.replace(/(?:,\s*do:[^]*|\s+do)\s*$/, '');
        const signatures = [shown, ...specs];
        if (doc !== '')
          module.members.push({ name, signatures, doc, members: [], arity: operator ? 2 : arityOf(shown) });
        [doc, specs] = ['', []];
      }
      const [, other] = /("""|''')\s*$/.exec(line) ?? [];
      if (other !== undefined) at = blockFrom(lines, at + 1, other).next;
    }
  }
  const shown = modules.filter(({ isHidden, doc, members }) => !isHidden && (doc !== '' || members.length > 0));
  return {
    doc: '',
    declarations: shown.map(({ name, doc, members }) => ({ name, doc, signatures: [], members: byArity(members) })),
  };
}

/** How many parameters stand in the first brackets of a header. */
function arityOf(header: string): number {
  let depth = 0;
  let count = 0;
  let isEmpty = true;
  for (const { 0: sign } of header.matchAll(/"(?:[^"\\]|\\.)*"|<<|>>|\S/g)) {
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

const juliaDoc = /^\s*(?:@doc\s+)?(raw|doc)?"""/;
const juliaName =
  /^(?:[\w.]*@\w+\s+)*(?:(macro)\s+|(?:function|(?:mutable\s+)?struct|const|abstract\s+type|primitive\s+type|(?:bare)?module)\s+)?(?:\(::?[^()]*\)|:?(@?[\p{L}_][\p{L}\p{N}_.!]*))/u;

/**
 * Finds what strings in a file of Julia describe: each stands right above a declaration or name. Signatures are the indented lines that
 * begin the text, else the declaration. Linear.
 */
export function readJulia(text: string): DeclaredFile {
  const lines = text.split('\n');
  const found = new Map<string, { signatures: string[]; docs: string[] }>();
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] as string;
    const [start, sigil] = juliaDoc.exec(line) ?? [];
    const others = line.split('"""').length - 1;
    if (start === undefined) {
      if (others % 2 === 1) while (at + 1 < lines.length && !lines[at + 1]?.includes('"""')) at += 1;
      if (others % 2 === 1) at += 1;
      continue;
    }
    const block = stringFrom(lines, at, start.length);
    at = block.end;
    const after = block.after.replace(/^\s*(?:->)?\s*/, '');
    const declared = after === '' ? (lines[at + 1] ?? '') : after;
    const [, macro, word] = juliaName.exec(declared.trim()) ?? [];
    if (word === undefined || block.text === '') continue;
    const said = sigil === undefined ? unescaped(block.text) : block.text;
    const [head = ''] = /^(?:(?: {4}|\t).*(?:\n|$))+/.exec(said) ?? [];
    const header =
      after === ''
        ? headerAt(lines, at + 1)
            .replace(/(\)(?:\s*where\s[^=]*)?)\s*=(?!=)[^]*$/, '$1')
            .trimEnd()
        : after;
    const name = macro === undefined ? word : `@${word}`;
    const known = found.get(name) ?? { signatures: [], docs: [] };
    if (known.signatures.length < signaturesMax)
      known.signatures.push(head.trim() === '' ? header : signatureOf(head, '    '));
    known.docs.push(said.slice(head.length).trim());
    found.set(name, known);
  }
  const declarations = [...found].map(([name, { signatures, docs }]) => ({
    name,
    signatures,
    doc: docs.join('\n\n').trim(),
    members: [],
  }));
  return { doc: '', declarations };
}

/** The string of Julia that is open at a place of a line; its indentation is the least that its lines have. */
function stringFrom(lines: readonly string[], at: number, from: number): { text: string; end: number; after: string } {
  const body: string[] = [];
  let end = at;
  let rest = (lines[at] as string).slice(from);
  let close = rest.indexOf('"""');
  while (close < 0 && end + 1 < lines.length) {
    body.push(rest);
    end += 1;
    rest = lines[end] as string;
    close = rest.indexOf('"""');
  }
  const last = close < 0 ? rest : rest.slice(0, close);
  const others = [...body, last];
  const first = others.shift() ?? '';
  const indents = others.filter((line) => line.trim() !== '').map(indentOf);
  const indent = indents.reduce((least, one) => Math.min(least, one), close < 0 ? 0 : indentOf(rest));
  const text = [first.trim(), ...others.map((line) => line.slice(indent).trimEnd())].join('\n');
  return { text: text.replace(/^(?:[ \t]*\n)+/, '').trimEnd(), end, after: close < 0 ? '' : rest.slice(close + 3) };
}
