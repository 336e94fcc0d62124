import type { ExtractedDocument } from '../../document.ts';
import { Draft, fileNameOf } from '../draft.ts';
import { embedMarkdown, embedRst } from '../embed-markdown.ts';
import { codeSpan } from '../write-markdown.ts';
import { readElixir, readJulia } from './block-strings.ts';
import { readBraces } from './braces.ts';
import type { Declaration, DeclaredFile } from './declaration.ts';
import { docMarkdown, docOfXml } from './doc-comment.ts';
import { c, classBased, dart, go, proto, rust, swift, typescript } from './languages.ts';
import { docstringRst, readPython } from './python.ts';
import { readRuby, rubyMarkdown } from './ruby.ts';

/** Terms are one line: a longer signature is truncated at this length. */
const termCharsMax = 300;

/**
 * Extracts the public declarations of source code, each with its signature and its doc comment or docstring; members
 * are entries named `Container.member`. Returns an empty document if there are none.
 */
export function extractDeclarations(
  text: string,
  page: { url: string; path: string; language: string },
): ExtractedDocument {
  const source = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  const file = declaredIn(source, page.path, page.language);
  if (file.declarations.length === 0 && file.doc === '') return new Draft(page.url).finish();
  const draft = new Draft(page.url);
  draft.title = fileNameOf(page.url);
  const addDoc = (doc: string): void => addDocOf(draft, doc, page.language);
  if (file.doc !== '') draft.add({ type: 'heading', markdown: codeSpan(draft.title), depth: 1 });
  addDoc(file.doc);
  for (const one of file.declarations) addDeclaration(draft, one, page.language, addDoc);
  return draft.finish();
}

function addDocOf(draft: Draft, doc: string, language: string): void {
  switch (language) {
    case 'python':
      return embedRst(draft, docstringRst(doc));
    case 'elixir':
    case 'julia':
    case 'swift':
      return embedMarkdown(draft, doc);
    case 'dart':
      return embedMarkdown(draft, dartMarkdown(doc));
    case 'ruby':
      return embedMarkdown(draft, docMarkdown(rubyMarkdown(doc)));
    default:
      return embedMarkdown(draft, docMarkdown(language === 'csharp' ? docOfXml(doc) : doc));
  }
}

/** Converts Dart's names in brackets to code, except inside code. */
function dartMarkdown(doc: string): string {
  const pattern = /(```[^]*?(?:```|$(?![^]))|`[^`\n]*`|^(?: {4}|\t).*$)|(?<!\])\[([\w.]+(?:\(\))?)\](?![[(:])/gm;
  return doc.replace(pattern, (_, code: string | undefined, name: string) => code ?? `\`${name}\``);
}

function declaredIn(text: string, path: string, language: string): DeclaredFile {
  switch (language) {
    case 'ts':
    case 'tsx':
      return readBraces(text, typescript(path, text));
    case 'python':
      return readPython(text, path.endsWith('.pyi'));
    case 'elixir':
      return readElixir(text);
    case 'julia':
      return readJulia(text);
    case 'ruby':
      return readRuby(text);
    case 'swift':
      return readBraces(text, swift);
    case 'dart':
      return asInterface(readBraces(text, dart));
    case 'go':
      return readBraces(text, go);
    case 'rust':
      return readBraces(text, rust);
    case 'java':
    case 'kotlin':
      return readBraces(text, classBased(language));
    case 'csharp':
      return asInterface(readBraces(text, classBased(language)));
    case 'php':
      return readBraces(text.replace(/^(?:#!.*\n)?\s*<\?php\b/, ''), classBased(language));
    case 'proto':
      return readBraces(text, proto);
    case 'c':
    case 'cpp':
      return readBraces(text, c);
    default:
      return { doc: '', declarations: [] };
  }
}

/** Removes attributes, preprocessor lines and expression bodies from C# and Dart signatures. */
function asInterface({ doc, declarations }: DeclaredFile): DeclaredFile {
  const shown = (signature: string): string =>
    withoutBody(signature.replace(/^#.*\n?/gm, '').replace(/^(?:\[(?:[^[\]]|\[[^[\]]*\])*\]\s*)+/, '')).trimEnd();
  const without = (one: Declaration): Declaration => ({
    ...one,
    signatures: one.signatures.map(shown),
    members: one.members.map(without),
  });
  return { doc, declarations: declarations.map(without) };
}

/** Returns a member without its `=>` body; ignores a `=>` in a string, parameter or initial value. */
function withoutBody(signature: string): string {
  let depth = 0;
  for (const { 0: mark, index } of signature.matchAll(
    /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)'|=>|[=!<>]=|[=()[\]{}]/g,
  )) {
    if (/^[([{]$/.test(mark)) depth += 1;
    else if (/^[)\]}]$/.test(mark)) depth -= 1;
    else if (depth === 0 && mark === '=') return signature;
    else if (depth === 0 && mark === '=>') return signature.slice(0, index);
  }
  return signature;
}

/** Returns the separator between a class and its member; names of Ruby's class methods already start with a dot. */
function joinOf(language: string, member: string): string {
  if (language === 'rust' || language === 'cpp') return '::';
  if (language !== 'ruby') return '.';
  return /^[A-Z]/.test(member) ? '::' : member.startsWith('.') ? '' : '#';
}

function addDeclaration(draft: Draft, one: Declaration, language: string, addDoc: (doc: string) => void): void {
  const short = one.name.split('.').at(-1) as string;
  draft.add({
    type: 'heading',
    markdown: codeSpan(one.name),
    depth: 2,
    anchor: one.name,
    identifiers: short === one.name ? [one.name] : [one.name, short],
    isAlone: true,
  });
  if (one.signatures.length > 0) draft.addCode(one.signatures.join('\n'), language);
  addDoc(one.doc);
  // Undocumented members are shown together; documented ones are separate entries.
  const silent = one.members.filter((member) => member.doc === '').flatMap((member) => member.signatures);
  if (silent.length > 0) draft.addCode(silent.join('\n'), language);
  const nameOf = (member: string): string => `${one.name}${joinOf(language, member)}${member}`;
  for (const member of one.members) {
    const name = nameOf(member.name);
    if (member.doc === '' || member.members.length > 0) continue;
    const line = member.signatures.map((signature) => signature.replace(/\s+/g, ' ').replace(/ ?\{$/, ''));
    draft.openTerm(
      line.map((signature) => codeSpan(signature.slice(0, termCharsMax))).join(', ') || codeSpan(name),
      [name, ...(member.also ?? []).map(nameOf)],
      name,
    );
    addDoc(member.doc);
    draft.closeTerm();
  }
  // Nested types have members themselves.
  for (const inner of one.members)
    if (inner.members.length > 0) addDeclaration(draft, { ...inner, name: nameOf(inner.name) }, language, addDoc);
}
