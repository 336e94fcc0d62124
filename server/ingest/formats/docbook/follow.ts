import { posix } from 'node:path';
import { inRoot, nearestText, type ReadIncluded } from '../read-included.ts';
import { elementLines } from '../writerside/project.ts';
import { readProlog } from './prolog.ts';

const includesMax = 300;
const charactersMax = 1_000_000;
/** Maximum number of characters of other files searched for one document. */
const lookedMax = 20_000_000;
const namesMax = 1_000;
/** Maximum number of declaration files for one document. */
const filesMax = 20;
const depthMax = 3;
/** Shared entity files of PHP's manual and its translations, most likely first. */
const sharedFiles = [
  'language-snippets.ent',
  ...['title', 'php', 'acronyms', 'url', 'extcat', 'remove'].map((kind) => `entities/entities.${kind}.ent`),
];
const include =
  /<!\[CDATA\[[^]*?(?:\]\]>|$)|<!--[^]*?(?:-->|$)|<(?:\w+:)?(include|coderef)\s[^<>]{0,500}?\bhref="([^"<>]{1,300})"[^<>]{0,300}\/>|<([a-z]\w*)\s[^<>]{0,300}?\bconref="([^"#<>]{0,300})#(?:[^"/<>]{0,200}\/)?([\w.-]{1,200})"[^<>]{0,300}\/>/g;

interface State {
  read: ReadIncluded;
  includes: number;
  characters: number;
  looked: number;
}

/**
 * Inserts the entities, elements (by id) and code that a DocBook or DITA document takes from other files in the same
 * folder. A document that is included as a whole stays a separate page.
 */
export async function followDocbook(
  text: string,
  { path, read }: { path: string; read: ReadIncluded },
): Promise<string> {
  const state: State = { read, includes: 0, characters: 0, looked: 0 };
  const whole = await withElements(text, path, state, 0);
  const declared = await declarations(whole, path, state);
  return declared === '' ? whole : `<!DOCTYPE _ [\n${declared}]>\n${whole}`;
}

async function withElements(text: string, path: string, state: State, depth: number): Promise<string> {
  const out: string[] = [];
  let done = 0;
  for (const found of text.matchAll(include)) {
    const [tag, kind, href, , conref, id] = found;
    const named = href ?? conref;
    // Code and comments.
    if (named === undefined) continue;
    const [target = ''] = targetsOf([named], path);
    const pointer = kind === undefined ? id : /\bxpointer="(?:element\()?([\w.-]+)\)?"/.exec(tag)?.[1];
    const isText = kind === 'coderef' || /\bparse="text"/.test(tag);
    if ((!isText && pointer === undefined) || depth >= depthMax || ++state.includes > includesMax) continue;
    const part = conref === '' ? text : target === '' ? undefined : await state.read(target);
    if (part === undefined) continue;
    state.looked += part.length;
    if (state.looked > lookedMax) break;
    const shown = isText
      ? `<![CDATA[${part.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`
      : elementLines(part.split(/\r?\n/), pointer ?? '')?.join('\n');
    if (shown === undefined) continue;
    state.characters += shown.length;
    if (state.characters > charactersMax) break;
    const place = conref === '' ? path : target;
    out.push(text.slice(done, found.index), isText ? shown : await withElements(shown, place, state, depth + 1));
    done = found.index + tag.length;
  }
  return [...out, text.slice(done)].join('');
}

/** Returns the paths, below the root, of files referenced relative to a document. */
const targetsOf = (names: readonly string[], path: string): string[] =>
  inRoot(
    names
      .filter((name) => name !== '' && !/:\/\/|^\//.test(name))
      .map((name) => posix.join(posix.dirname(path), name.split('#')[0] ?? '')),
  );

/** Returns declarations for the entities that a text uses but does not declare. */
async function declarations(text: string, path: string, state: State): Promise<string> {
  const prolog = readProlog(text);
  if (prolog === undefined) return '';
  const missing = new Set(namesIn(text).filter((name) => !prolog.declared.has(name)));
  const own = targetsOf(prolog.files, path);
  let out = '';
  const added = new Set<string>();
  for (const file of [...own.slice(0, filesMax), ...sharedFiles]) {
    if (missing.size === 0) break;
    const isOwn = own.includes(file);
    const found = isOwn ? { text: await state.read(file) } : await nearestText(file, path, state.read);
    if (found?.text === undefined) continue;
    const values = valuesIn(found.text);
    // A found value may contain further names, which are then searched too.
    for (const name of missing) {
      const value = values.get(name);
      if (value === undefined || missing.size > namesMax) continue;
      missing.delete(name);
      added.add(name);
      state.characters += value.length;
      if (state.characters > charactersMax || added.size > namesMax) return out;
      out += `<!ENTITY ${name} ${value.includes('"') ? `'${value.replaceAll("'", '&#39;')}'` : `"${value}"`}>\n`;
      for (const inner of namesIn(value)) if (!prolog.declared.has(inner) && !added.has(inner)) missing.add(inner);
    }
  }
  return out;
}

function namesIn(text: string): string[] {
  const outside = text.replace(/<!\[CDATA\[[^]*?(?:\]\]>|$)|<!--[^]*?(?:-->|$)/g, '');
  const names = new Set([...outside.matchAll(/&([\p{L}_][\p{L}\w.-]{0,100});/gu)].map(([, name = '']) => name));
  return [...names].filter((name) => !/^(?:lt|gt|amp|quot|apos)$/.test(name));
}

/** Returns the entities in a declaration file, in the syntax of DTDs or of PHP's manual. */
function valuesIn(text: string): Map<string, string> {
  const values = new Map<string, string>();
  const start =
    /<!--[^]*?(?:-->|$)|<!ENTITY\s{1,100}([^\s%<>"']{1,100})\s{1,100}(["'])|<entity name="([^"<>]{1,100})">/g;
  for (let found = start.exec(text); found; found = start.exec(text)) {
    const [, declared = '', quote, named = declared] = found;
    if (named === '') continue;
    const mark = quote ?? '</entity>';
    const end = text.indexOf(mark, start.lastIndex);
    if (end < 0) break;
    if (!values.has(named)) values.set(named, text.slice(start.lastIndex, end));
    start.lastIndex = end + mark.length;
  }
  return values;
}
