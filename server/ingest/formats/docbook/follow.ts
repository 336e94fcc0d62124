import { posix } from 'node:path';
import { nearestText, type ReadIncluded } from '../read-included.ts';
import { elementLines } from '../writerside/project.ts';
import { readProlog } from './prolog.ts';

const includesMax = 300;
const charactersMax = 1_000_000;
const namesMax = 1_000;
const depthMax = 3;
/** Where PHP's manual and its translations keep what all pages share, the likeliest first. */
const sharedFiles = [
  'language-snippets.ent',
  ...['title', 'php', 'acronyms', 'url', 'extcat', 'remove'].map((kind) => `entities/entities.${kind}.ent`),
];
const include =
  /<(?:\w+:)?(include|coderef)\s[^<>]{0,500}?\bhref="([^"<>]{1,300})"[^<>]{0,300}\/>|<([a-z]\w*)\s[^<>]{0,300}?\bconref="([^"#<>]{0,300})#(?:[^"/<>]{0,200}\/)?([\w.-]{1,200})"[^<>]{0,300}\/>/g;

interface State {
  read: ReadIncluded;
  includes: number;
  characters: number;
}

/**
 * Puts into a document of DocBook or DITA what it takes from files of the same folder: entities, elements named by their ids, code. A file that is
 * included as a whole stays a page of its own.
 */
export async function followDocbook(
  text: string,
  { path, read }: { path: string; read: ReadIncluded },
): Promise<string> {
  const state: State = { read, includes: 0, characters: 0 };
  const whole = await withElements(text, path, state, 0);
  const declared = await declarations(whole, path, state);
  return declared === '' ? whole : `<!DOCTYPE _ [\n${declared}]>\n${whole}`;
}

async function withElements(text: string, path: string, state: State, depth: number): Promise<string> {
  const out: string[] = [];
  let done = 0;
  for (const found of text.matchAll(include)) {
    const [tag, kind, href, , conref, id] = found;
    const target = posix.join(posix.dirname(path), (kind === undefined ? conref : href) ?? '');
    const pointer = kind === undefined ? id : /\bxpointer="(?:element\()?([\w.-]+)\)?"/.exec(tag)?.[1];
    const isText = kind === 'coderef' || /\bparse="text"/.test(tag);
    if ((!isText && pointer === undefined) || depth >= depthMax || ++state.includes > includesMax) continue;
    const part =
      conref === '' ? text : /^\.\.|\/\.|:\/\//.test(target) ? undefined : await state.read(target.split('#')[0] ?? '');
    if (part === undefined) continue;
    const shown = isText
      ? `<![CDATA[${part.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`
      : elementLines(part.split(/\r?\n/), pointer ?? '')?.join('\n');
    if (shown === undefined) continue;
    state.characters += shown.length;
    if (state.characters > charactersMax) break;
    out.push(text.slice(done, found.index), isText ? shown : await withElements(shown, target, state, depth + 1));
    done = found.index + tag.length;
  }
  return [...out, text.slice(done)].join('');
}

/** Declarations of the entities that a text uses and does not declare itself. */
async function declarations(text: string, path: string, state: State): Promise<string> {
  const prolog = readProlog(text);
  if (prolog === undefined) return '';
  const missing = new Set(namesIn(text).filter((name) => !prolog.declared.has(name)));
  const own = prolog.files.filter((file) => !/:\/\//.test(file)).map((file) => posix.join(posix.dirname(path), file));
  let out = '';
  for (const file of [...own, ...sharedFiles]) {
    if (missing.size === 0) break;
    const isOwn = own.includes(file);
    const found = isOwn ? { text: await state.read(file) } : await nearestText(file, path, state.read);
    if (found?.text === undefined) continue;
    // A value that is found adds the names in it, which are looked for as well.
    for (const name of missing) {
      const value = valueIn(found.text, name);
      if (value === undefined || missing.size > namesMax) continue;
      missing.delete(name);
      state.characters += value.length;
      if (state.characters > charactersMax) return out;
      out += `<!ENTITY ${name} ${value.includes('"') ? `'${value.replaceAll("'", '&#39;')}'` : `"${value}"`}>\n`;
      for (const inner of namesIn(value))
        if (!prolog.declared.has(inner) && !out.includes(`<!ENTITY ${inner} `)) missing.add(inner);
    }
  }
  return out;
}

function namesIn(text: string): string[] {
  const outside = text.replace(/<!\[CDATA\[[^]*?(?:\]\]>|$)|<!--[^]*?(?:-->|$)/g, '');
  const names = new Set([...outside.matchAll(/&([\p{L}_][\p{L}\w.-]{0,100});/gu)].map(([, name = '']) => name));
  return [...names].filter((name) => !/^(?:lt|gt|amp|quot|apos)$/.test(name));
}

/** The value of an entity in a file of declarations, as DTDs or as PHP's manual write them. */
function valueIn(text: string, name: string): string | undefined {
  for (const start of [`<!ENTITY ${name} `, `<entity name="${name}">`]) {
    const at = text.indexOf(start);
    if (at < 0) continue;
    const from = at + start.length;
    if (start.startsWith('<entity')) {
      const end = text.indexOf('</entity>', from);
      return end < 0 ? undefined : text.slice(from, end);
    }
    return /^\s*(?:"([^"]*)"|'([^']*)')/
      .exec(text.slice(from, from + 20_000))
      ?.slice(1)
      .find((value) => value !== undefined);
  }
  return undefined;
}
