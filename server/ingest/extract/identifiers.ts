import { childElements, findElement, HtmlElement, HtmlText } from './html-tree.ts';
import { isLabel, plainText } from './inline.ts';
import type { Subject } from './walk.ts';

const NAME = /^[$@%]?[A-Za-z_][\w$]*(?:(?:::|\.|#|->|\/|:|-)[A-Za-z_$][\w$]*)*[!?*]?$/;
const OPTION = /(?:^|[\s,|[(/])(--?[A-Za-z0-9?#][\w.-]*)/g;
const IDENTIFIERS_MAX = 24;
const NAME_LENGTH_MAX = 120;

/**
 * Returns the names that a heading or term defines: functions without arguments, options, settings, error codes,
 * commands. Words of prose do not count: `Getting started` defines none.
 */
export function identifiersOf(element: HtmlElement, anchor: string | undefined, subject?: Subject): string[] {
  const names = new Set<string>();
  const text = plainText(element);
  if (text === '' || text.length > 2000) return [];
  const marked = markedNames(element);
  const method = element.hasClass('signature') ? signedName(element, text) : undefined;
  if (method) {
    names.add(method);
  } else if (marked.length > 0) {
    for (const name of marked) addMarked(names, name);
  } else {
    const codes = codeTexts(element);
    for (const code of codes) addFromCode(names, code);
    addFromText(names, text, codes.length > 0);
  }
  if (names.size === 0) addMember(names, text, anchor);
  const indexed = indexedName(text, anchor);
  // The words before a defined function are its type: `Function: gpg_error_t gcry_open (path)`.
  if (indexed !== undefined && /^[A-Z][\w ]*: /.test(text)) names.clear();
  if (indexed !== undefined) names.add(indexed);
  if (subject && text === subject.name) names.add(text);
  qualify(names, text, anchor, subject);
  return [...names].filter((name) => name.length <= NAME_LENGTH_MAX).slice(0, IDENTIFIERS_MAX);
}

/**
 * Returns the name in a signature. YARD: `#initialize(namespace, name) ⇒ Base`; Scaladoc marks the part after the
 * modifiers, Crystal the name.
 */
function signedName(element: HtmlElement, text: string): string | undefined {
  const symbol = findElement(
    element,
    (child) => child.hasClass('symbol') || child.hasClass('documentableName') || child.name === 'strong',
  );
  const signed = symbol === undefined ? text : plainText(symbol);
  return /^[#.]?([A-Za-z_]\w*[?!=]?)/.exec(signed)?.[1];
}

// Headings of these classes contain only a member's name.
const MEMBER_CLASSES = new Set('memtitle member-name'.split(' '));
// Classes that generators give to the defined name inside a declaration.
const NAME_CLASSES = new Set(
  'def def-name py-defname descname method-name method-callseq element-name fnname member-name'.split(' '),
);

/** Returns the names that the generator marks as defined here. */
function markedNames(element: HtmlElement): string[] {
  const found: string[] = [];
  const isMember = element.classes.some((name) => MEMBER_CLASSES.has(name)) || element.parent?.hasClass('tsd-member');
  if (isMember) return [plainText(withoutLabels(element))];
  // JSDoc marks what surrounds the name: modifiers, arguments and type.
  if (childElements(element).some((child) => child.hasClass('type-signature'))) return [ownText(element)];
  findElement(element, (child) => {
    const isName = isBeforeSignature(child) || child.classes.some((name) => NAME_CLASSES.has(name));
    if (child.name !== 'td' && isName && found.length < IDENTIFIERS_MAX) found.push(plainText(child));
    return false;
  });
  return found.filter(Boolean);
}

/**
 * Returns true for a name before its signature. dartdoc: `<span class="name">controller</span> <span
 * class="signature">→ TabController</span>`
 */
function isBeforeSignature({ name, className, parent, position }: HtmlElement): boolean {
  if (name !== 'span' || className.trim() !== 'name') return false;
  const next = parent?.children.find((node, at) => at > position && node instanceof HtmlElement);
  return next instanceof HtmlElement && next.hasClass('signature');
}

function ownText({ children }: HtmlElement): string {
  return children.map((child) => (child instanceof HtmlText ? child.value : '')).join(' ');
}

function withoutLabels(element: HtmlElement): HtmlElement {
  const named = new HtmlElement(element.name, element.namespace, element.attributes);
  named.children = element.children.filter((child) => !isLabel(child));
  return named;
}

function addMarked(names: Set<string>, marked: string): void {
  const name = nameBeforeArguments(marked);
  if (name && NAME.test(name) && name !== 'operator') names.add(name);
}

/**
 * Adds a heading's single plain word if the anchor is that word with arguments: `parse` at `#parse(java.lang.String)`.
 */
function addMember(names: Set<string>, text: string, anchor: string | undefined): void {
  if (!anchor || !/^[A-Za-z_]\w*$/.test(text)) return;
  const rest = anchor.startsWith(text) ? anchor.slice(text.length) : undefined;
  const isOfRuby = anchor === `method-i-${text}` || anchor === `method-c-${text}`;
  if (isOfRuby || (rest !== undefined && /^(?:\(|%28|-.*-$|--)/.test(rest))) names.add(text);
}

/**
 * Returns the name from a Texinfo index anchor if the text contains it: `Function: solve (expr)` at `#index-solve`,
 * `to_poly` at `#index-to_005fpoly`.
 */
function indexedName(text: string, anchor: string | undefined): string | undefined {
  const indexed = /^index-(.+?)(?:-\d+)?$/.exec(anchor ?? '')?.[1];
  if (indexed === undefined) return undefined;
  const name = indexed.replace(/_00([0-9a-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  const isDefined = ` ${text.replace(/[()[\]{},;]/g, ' ')} `.includes(` ${name} `);
  return isDefined && NAME.test(name) && !KEYWORDS.has(name) ? name : undefined;
}

const CODE_NAMES = new Set(['code', 'tt', 'samp', 'kbd']);

function codeTexts(element: HtmlElement): string[] {
  const codes: string[] = [];
  findElement(element, (child) => {
    if (CODE_NAMES.has(child.name) && !isPlaceholder(child) && !isLabel(child) && codes.length < IDENTIFIERS_MAX)
      codes.push(plainText(child));
    return false;
  });
  return codes.filter(Boolean);
}

/** Returns true for code inside other code, or in italics, which DocBook uses for values the reader replaces. */
function isPlaceholder(code: HtmlElement): boolean {
  let node = code.parent;
  for (let level = 0; node && level < 3; level++, node = node.parent) {
    if (CODE_NAMES.has(node.name) || node.name === 'var' || node.hasClass('replaceable')) return true;
  }
  return false;
}

function addFromCode(names: Set<string>, code: string): void {
  if (addOptions(names, code)) return;
  const name = nameBeforeArguments(code);
  if (name && (NAME.test(name) || /^[A-Z][A-Z ]+$/.test(name)) && !KEYWORDS.has(name)) names.add(name);
}

function addFromText(names: Set<string>, text: string, hasCode: boolean): void {
  // TypeDoc: `Returns Promise<string>` names a type that another page defines.
  if (/^returns? /i.test(text)) return;
  // Text in brackets is arguments; only after an option may another name follow.
  const outside = text.startsWith('-') ? text : text.replace(/\([^()]*\)|\[[^[\]]*\]|<[^<>]*>/g, ' ');
  if (addOptions(names, outside) && text.startsWith('-')) return;
  const name = nameBeforeArguments(text);
  if (name && NAME.test(name) && !KEYWORDS.has(name)) {
    const hasArguments =
      text.includes(`${name}(`) || text.includes(`${name} (`) || text.includes(`${name}<`) || text.includes(`${name}[`);
    if (isDistinctive(name) || (hasArguments && !hasCode && isSignature(text))) names.add(name);
  }
  const [first = ''] = text.split(/\s/);
  if (!hasCode && /^[a-z][\w.-]*(?: [[{<(-]| *$)/.test(text) && /[[{<-]/.test(text) && !KEYWORDS.has(first))
    names.add(first);
  for (const word of outside.split(/[\s,;()[\]{}<>="'`|]+/)) {
    if (names.size >= IDENTIFIERS_MAX) return;
    const bare = word.replace(/(?<![.:!?])[.:!?]+$/, '');
    if (isDistinctive(bare)) names.add(bare);
  }
  // Commands of several capitalised words: CREATE TABLE AS.
  if (/^[A-Z][A-Z]+(?: [A-Z]+)*$/.test(text) && text.length <= 60 && !MANUAL_SECTION.test(text)) names.add(text);
}

// Section titles of manual pages, which are also in capitals.
const MANUAL_SECTION =
  /^(?:NAME|SYNOPSIS|DESCRIPTION|OPTIONS|ARGUMENTS|PARAMETERS|COMMANDS|EXAMPLES?|NOTES?|BUGS|AUTHORS?|SEE ALSO|COPYRIGHT|LICENSE|ENVIRONMENT|FILES|DIAGNOSTICS|HISTORY|STANDARDS|CONFORMING TO|EXIT (?:STATUS|CODES?)|RETURN VALUES?|ERRORS|SECURITY|DISCUSSION|OUTPUT|CONFIGURATION|INTRODUCTION|OVERVIEW|GIT|FAQ|TODO)$/;

function addOptions(names: Set<string>, text: string): boolean {
  if (!text.includes('-')) return false;
  let found = false;
  // Git writes a pair of options as `--[no-]track`.
  for (const match of text.replace(/--\[no-\]([\w-]+)/g, '--$1 --no-$1').matchAll(OPTION)) {
    const option = match[1]!.replace(/(?<![.-])[.-]+$/, '');
    // A minus before a number is arithmetic; a lone dash is punctuation.
    if (!/^--?[A-Za-z?#]/.test(option) && !(text.startsWith('-') && /^-\d$/.test(option))) continue;
    if (match.index > 0 && !text.startsWith('-') && /\w -$/.test(text.slice(0, match.index + 2))) continue;
    names.add(option);
    found = true;
    if (names.size >= IDENTIFIERS_MAX) break;
  }
  return found;
}

// Words that precede the name in signatures and may remain when there is no name.
const KEYWORDS = new Set(
  (
    'class function method const static async def fn pub struct enum trait type interface property event module package exception ' +
    'attribute data macro constant variable union impl for where public private protected final abstract default void int char ' +
    'unsigned signed long short double float bool boolean extern inline virtual coroutine classmethod staticmethod abstractmethod ' +
    'new delete get set let var true false null none undefined and or not if else return typedef template typename operator the a an ' +
    'of in to from unsafe mut self this'
  ).split(' '),
);

/**
 * Returns the last word before the arguments: `asyncio.create_task` of `async asyncio.create_task(coro, *, name=None)`.
 */
function nameBeforeArguments(text: string): string | undefined {
  const cut = text.search(/[([<={;]| ?:(?!:)\s/);
  const head = (cut < 0 ? text : text.slice(0, cut)).replace(/(?<![\s¶#:])[\s¶#:]+$/, '').trim();
  if (head === '') return undefined;
  const words = head.split(/\s+/);
  if (/^returns?$/i.test(words[0]!) && words.length > 1) return undefined;
  if (cut < 0 && words.length > 1 && !KEYWORDS.has(words[0]!.toLowerCase().replace(/:$/, ''))) return undefined;
  if (words.length > 8) return undefined;
  const name = words[words.length - 1]!.replace(/^[*&]+/, '');
  return name;
}

/** Returns true if all words before the brackets could be part of a declaration. */
function isSignature(text: string): boolean {
  return (
    /^[\w$.:*&<>,\s~@#!?-]{1,160}[(<[]/.test(text) && !/^\S+ \(/.test(text.replace(/^(class|function|method)\s/i, ''))
  );
}

/**
 * Returns true for spellings that prose does not use: underscores, inner dots or colons, inner capitals, error codes.
 */
function isDistinctive(word: string): boolean {
  if (word.length < 2 || word.length > NAME_LENGTH_MAX || !NAME.test(word)) return false;
  if (/[_$]/.test(word) && /[A-Za-z]/.test(word)) return true;
  if (/::|->|^[@$%]/.test(word)) return true;
  if (/^[A-Za-z_]\w*(\.[A-Za-z_]\w*)+$/.test(word))
    return !/^(e\.g|i\.e|a\.k\.a|U\.S)$/i.test(word) && !/\.(com|org|net|html?|txt)$/i.test(word);
  if (/^[a-z]+[A-Z]\w*$/.test(word) || /^[A-Z][a-z]+(?:[A-Z][a-z0-9]+)+$/.test(word)) return true;
  return /^[A-Z]{1,4}\d{3,6}$/.test(word);
}

/** Adds the qualified form if the element's id or the page's subject gives it. */
function qualify(names: Set<string>, text: string, anchor: string | undefined, subject: Subject | undefined): void {
  const id = anchor
    ? anchor.replace(
        /^(?:c|cpp|py|js|rust|go|http|std|envvar|term|command|variable|prop_\w+|module|policy|module-|method|function|class)[.:]/i,
        '',
      )
    : '';
  if (/^[A-Za-z_][\w]*(?:\.[A-Za-z_]\w*)+$/.test(id)) {
    const last = id.slice(id.lastIndexOf('.') + 1);
    const defined = nameBeforeArguments(text);
    const isDefined = defined !== undefined && (names.has(defined) || names.has(last));
    if (isDefined && (defined === last || defined.endsWith(`.${last}`))) names.add(id);
  } else if (id.startsWith('envvar-')) {
    names.add(id.slice(7));
  }
  if (!subject || !anchor || names.size === 0) return;
  const member =
    /^(?:t?y?method|structfield|variant|associatedconstant|associatedtype)\.(\w+)/.exec(anchor)?.[1] ??
    /^(\w+)(?:\(|-)/.exec(anchor)?.[1];
  if (member && [...names].some((name) => name === member)) names.add(`${subject.name}${subject.separator}${member}`);
}
