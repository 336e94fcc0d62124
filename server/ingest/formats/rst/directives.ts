import { calloutLabel, labelFirst } from '../markdown/callouts.ts';
import { missingFile } from '../write-markdown.ts';
import type { Directive } from './directive.ts';
import { domainOf, readObject, standard } from './domains.ts';
import { inlineMarkdown } from './inline.ts';
import { indentOf, isEmpty, plainTextId, type RstState } from './state.ts';
import { csvTable, listTable } from './tables.ts';

const codeDirectives = new Set(
  'code code-block code-cell sourcecode parsed-literal prompt ipython doctest testcode testsetup productionlist math jupyter-execute terminal'.split(
    ' ',
  ),
);
const silentDirectives = new Set(
  (
    'contents sectnum section-numbering index raw meta header footer bibliography tabularcolumns default-role ' +
    'role title image automodule sectionauthor moduleauthor codeauthor todolist target-notes testcleanup testoutput ' +
    'highlightlang versionchanged-list'
  ).split(' '),
);
const drawings = new Set('graphviz digraph graph mermaid plantuml inheritance-diagram plot'.split(' '));
const otherDirectives = new Set(
  'include literalinclude highlight module py:module currentmodule py:currentmodule program toctree csv-table list-table glossary autosummary'.split(
    ' ',
  ),
);
const versionLabels: Record<string, string> = {
  versionadded: 'New in version',
  versionchanged: 'Changed in version',
  deprecated: 'Deprecated since version',
  'deprecated-removed': 'Deprecated since version',
  versionremoved: 'Removed in version',
};

/** Returns true for a supported directive; diagrams are not. In Markdown, the same syntax also names languages. */
export function isKnownDirective(name: string): boolean {
  return (
    [codeDirectives, silentDirectives, otherDirectives, frames, titledFrames].some((names) => names.has(name)) ||
    name.endsWith('code-block') ||
    (versionLabels[name] ?? calloutLabel(name) ?? domainOf(name)) !== undefined
  );
}

/** Reads a directive by its meaning: code, call-out, table, object description, or a frame around ordinary text. */
export function readDirective(state: RstState, directive: Directive): void {
  const { name } = directive;
  const argument = directive.argument.join(' ');
  if (codeDirectives.has(name) || name.endsWith('code-block')) return readCode(state, directive);
  const version = versionLabels[name];
  if (version !== undefined) return readVersion(state, directive, version);
  const label = name === 'topic' || name === 'sidebar' ? undefined : calloutLabel(name);
  if (label !== undefined) return readCallout(state, directive, label);
  if (name === 'highlight') state.language = argument === 'none' ? '' : argument.toLowerCase();
  else if (name === 'module' || name === 'py:module' || name === 'currentmodule' || name === 'py:currentmodule')
    enterModule(state, name, argument);
  else if (name === 'program') state.program = argument;
  else if (name === 'toctree') readTocTree(state, directive);
  else if (name === 'csv-table')
    addTable(state, csvTable(state, directive.options.get('header') ?? '', bodyLines(state, directive)), argument);
  else if (name === 'list-table') addTable(state, listTable(state, bodyLines(state, directive)), argument);
  else if (name === 'include' || name === 'literalinclude') {
    addCaption(state, directive.options.get('caption') ?? '');
    // Names in angle brackets refer to docutils' files.
    if (!/^<|^$/.test(argument)) state.draft.addText('paragraph', missingFile(argument));
  } else if (name === 'autosummary') readNames(state, directive);
  else if (name === 'glossary') readGlossary(state, directive);
  else if (!silentDirectives.has(name) && !drawings.has(name)) readFrame(state, directive);
}

function bodyLines(state: RstState, directive: Directive): string[] {
  return state.outdented(directive.bodyFrom, directive.end);
}

function readCode(state: RstState, directive: Directive): void {
  const lines = bodyLines(state, directive);
  const isProse = directive.name === 'math' || directive.name === 'productionlist';
  if (directive.name === 'math') lines.unshift(...directive.argument);
  while (lines[0] === '') lines.shift();
  while (lines.at(-1) === '') lines.pop();
  const fallback =
    directive.name === 'doctest' || directive.name === 'ipython' || directive.name === 'testcode'
      ? 'python'
      : state.language;
  const language = isProse ? '' : (directive.argument[0] ?? fallback).toLowerCase().split(/\s/)[0];
  addCaption(state, directive.options.get('caption') ?? '');
  if (lines.length > 0)
    state.draft.addCode(lines.join('\n'), language === 'none' || language === 'text' ? '' : language);
}

/** Reads the text on the directive's line as the body's first lines. */
function readWithArgument(state: RstState, directive: Directive): void {
  const { argument, at, bodyFrom, end, bodyIndent } = directive;
  if (argument.length === 0) return state.read(state, bodyFrom, end, bodyIndent);
  const from = Math.max(at, bodyFrom - argument.length);
  for (const [index, line] of argument.entries()) {
    if (from + index < bodyFrom) state.lines[from + index] = ' '.repeat(bodyIndent) + line;
  }
  state.read(state, from, end, bodyIndent);
}

/** Reads a call-out: the first paragraph gets the label; code and lists after it stay separate blocks. */
function readCallout(state: RstState, directive: Directive, label: string): void {
  const before = state.draft.blocks.length;
  const isTitled = directive.name === 'admonition';
  if (isTitled) state.read(state, directive.bodyFrom, directive.end, directive.bodyIndent);
  else readWithArgument(state, directive);
  labelFirst(state.draft, before, isTitled ? inlineMarkdown(state, directive.argument.join(' ')) || label : label);
}

function readVersion(state: RstState, directive: Directive, label: string): void {
  const [version = '', ...words] = directive.argument.join('\n').split(/\s+/);
  const before = state.draft.blocks.length;
  const text = words.join(' ');
  state.draft.addText('paragraph', inlineMarkdown(state, text === '' ? '' : text));
  state.read(state, directive.bodyFrom, directive.end, directive.bodyIndent);
  if (state.draft.blocks.length === before) state.draft.addText('admonition', `> **${label} ${version}**`);
  else labelFirst(state.draft, before, `${label} ${version}`);
}

function enterModule(state: RstState, name: string, argument: string): void {
  state.module = argument === 'None' ? '' : argument;
  if (name.endsWith('currentmodule') || argument === '') return;
  state.draft.anchorNext(`module-${argument}`);
}

/** Adds links to the pages in a table of contents; they get the file extension of the page that lists them. */
function readTocTree(state: RstState, directive: Directive): void {
  const ending =
    /\.(?:rst|txt|rest|md|html)(?:\.txt)?$/.exec(state.draft.resolve('')?.replace(/[?#].*/, '') ?? '')?.[0] ?? '.html';
  for (const line of bodyLines(state, directive)) {
    const entry = /^(?:(.*?)(?<!\s)\s*<([^<>\s]+)>|(\S+))$/.exec(line.trim());
    const target = entry?.[2] ?? entry?.[3];
    if (target === undefined || target === 'self' || target.includes('*')) continue;
    const url = state.draft.resolve(
      /^https?:|\.\w{2,5}$/.test(target) ? target : `${target.replace(/^\//, '')}${ending}`,
    );
    if (url !== undefined) state.draft.addLink(url, entry?.[1] ?? '');
  }
}

function addCaption(state: RstState, caption: string): void {
  if (caption !== '') state.draft.addText('paragraph', inlineMarkdown(state, caption));
}

function addTable(state: RstState, markdown: string, caption: string): void {
  addCaption(state, caption);
  state.draft.add({ type: 'table', markdown });
}

/** Adds the names that Sphinx summarises from code. */
function readNames(state: RstState, directive: Directive): void {
  const names = bodyLines(state, directive).flatMap((line) => /^\s*~?([\w.:]+)\s*$/.exec(line)?.[1] ?? []);
  state.draft.addText('list', names.map((name) => `- \`${name}\``).join('\n'));
}

/** Reads a glossary's terms; several lines above one definition are alternative names. */
function readGlossary(state: RstState, directive: Directive): void {
  let at = directive.bodyFrom;
  while (at < directive.end) {
    const line = state.lines[at] as string;
    if (isEmpty(line) || indentOf(line) > directive.bodyIndent) {
      at++;
      continue;
    }
    const term = line.trim().split(' : ')[0] as string;
    const end = state.bodyEnd(at + 1, directive.end, directive.bodyIndent);
    state.draft.openTerm(inlineMarkdown(state, term), [term], `term-${plainTextId(term)}`);
    state.read(state, at + 1, end, state.indentBetween(at + 1, end));
    state.draft.closeTerm();
    at = Math.max(end, at + 1);
  }
}

/** Directives that only arrange their content. */
const frames = new Set(
  (
    'only ifconfig container class rst-class cssclass compound epigraph highlights pull-quote figure grid tab-set tabs tabset card-carousel ' +
    'card-header card-footer div margin figure-md line-block raw-html inclusion-marker versionhistory flat-table hlist exec'
  ).split(' '),
);
/** Frames whose argument is a visible title. */
const titledFrames = new Set(
  'tab tab-item group-tab code-tab dropdown card exercise solution grid-item grid-item-card topic sidebar rubric centered table admonition collapse details button-link'.split(
    ' ',
  ),
);

/** Reads an object description, or a frame such as a tab, grid or figure: its title, then its content. */
function readFrame(state: RstState, directive: Directive): void {
  const { name } = directive;
  const argument = directive.argument.join(' ');
  if (name === 'code-tab') return readCode(state, directive);
  const isFrame = frames.has(name) || titledFrames.has(name);
  // Projects define custom object types: a directive with a name and a body is treated as one.
  const isOwnKind = !isFrame && directive.end > directive.bodyFrom && /^[\w.$:<>@/-]+(?:\(.*\))?$/.test(argument);
  const domain = domainOf(name) ?? (isOwnKind ? standard(name) : undefined);
  if (domain) return readObject(state, directive, domain);
  // Separators between the parts of a card.
  if (name === 'card' || name === 'grid-item-card')
    for (let at = directive.bodyFrom; at < directive.end; at++)
      if (/^\s*(?:\^{3,}|\+{3,})\s*$/.test(state.lines[at] as string)) state.lines[at] = '';
  if (titledFrames.has(name) && argument !== '')
    state.draft.addText('paragraph', `**${inlineMarkdown(state, argument)}**`);
  state.read(state, directive.bodyFrom, directive.end, directive.bodyIndent);
}
