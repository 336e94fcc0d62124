import '#server/platform/threads/guard-compression.ts';
import { parentPort } from 'node:worker_threads';
import { type Listed, type ListFile, readListFile } from '../crawl/list-file.ts';
import { followIncludes } from '../formats/includes.ts';
import type { ReadIncluded } from '../formats/read-included.ts';
import { ParseError } from './parse-error.ts';
import { type IncludeInput, type ParsedPage, type ParseInput, parsePage } from './parse-page.ts';

type TextToInclude = Omit<IncludeInput, 'read'>;
type Task =
  | { kind: 'parse'; input: ParseInput }
  | { kind: 'include'; input: TextToInclude }
  | { kind: 'list'; input: ListFile };

/** A worker's messages: first `ready`, then one answer per task, preceded by requests for included files. */
export type WorkerAnswer =
  | { kind: 'ready' }
  | { kind: 'wants'; path: string; id: number }
  | { kind: 'done'; result: ParsedPage | Uint8Array | Listed | undefined }
  | { kind: 'failed'; code: 'parse-failed' | 'parse-memory' | 'unsupported-type'; message: string };

/** Maximum characters in a page's passages and links; a larger page repeats the same text a thousand times. */
const pageCharactersMax = 50_000_000;
/** Overhead of each passage, section and link beyond its texts. */
const charactersOfPart = 200;

/**
 * Returns true if a page is too large to send. Text shared by passages, such as a long name, is sent with each of them,
 * in memory that no thread's limit covers.
 */
function isTooLarge({ snippets, links }: Pick<ParsedPage, 'snippets'> & { links: Listed['pages'] }): boolean {
  let left = pageCharactersMax;
  const count = (...texts: (string | undefined)[]) => {
    left -= charactersOfPart;
    for (const text of texts) left -= text?.length ?? 0;
  };
  for (const { url, text } of links) count(url, text);
  for (const { anchor, headingPath, identifiers, text, sections = [], places = [] } of snippets) {
    count(anchor, text, ...headingPath, ...identifiers, ...places);
    for (const section of sections) count(section.anchor, ...section.headingPath, ...(section.aliases ?? []));
    if (left < 0) return true;
  }
  return left < 0;
}

async function answer(work: Task): Promise<WorkerAnswer> {
  const name = work.kind === 'include' ? work.input.path : work.input.url;
  try {
    if (work.kind === 'include') return { kind: 'done', result: await includedIn(work.input) };
    const result = work.kind === 'parse' ? parsePage(work.input) : readListFile(work.input);
    if (!isTooLarge('pages' in result ? { snippets: [], links: result.pages } : result))
      return { kind: 'done', result };
    return { kind: 'failed', code: 'parse-memory', message: `${name} has too many passages, names or links.` };
  } catch (error) {
    if (error instanceof ParseError && (error.code === 'unsupported-type' || error.code === 'parse-failed'))
      return { kind: 'failed', code: error.code, message: error.message };
    // Strings or arrays exceeded the engine's limits: the page is too large rather than broken.
    const isBeyondEngine =
      error instanceof RangeError && /Invalid (?:string|array) length|allocation failed/.test(error.message);
    const detail = error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 300) : 'unknown error';
    return {
      kind: 'failed',
      code: isBeyondEngine ? 'parse-memory' : 'parse-failed',
      message: `${name} could not be read (${detail}).`,
    };
  }
}

if (!parentPort) throw new Error('The parse worker is started by the parse pool.');
const port = parentPort;
const wanted: ((text: string | undefined) => void)[] = [];

/** Returns the text with its included files, which the pool reads; undefined if the text is unchanged. */
async function includedIn({ bytes, ...text }: TextToInclude): Promise<Uint8Array | undefined> {
  const read = (path: string) =>
    new Promise<string | undefined>((resolve) => {
      const id = wanted.push(resolve) - 1;
      port.postMessage({ kind: 'wants', path, id } satisfies WorkerAnswer);
    });
  const whole = await followIncludes(bytes, { ...text, read: onceEach(read) });
  wanted.length = 0;
  return whole === bytes ? undefined : whole;
}

/** Caches reads, because the same missing file is often included in many places. */
function onceEach(read: ReadIncluded): ReadIncluded {
  const known = new Map<string, Promise<string | undefined>>();
  return (path) => {
    const text = known.get(path) ?? read(path);
    known.set(path, text);
    return text;
  };
}

port.on('message', (message: Task | { kind: 'text'; id: number; text: string | undefined }) => {
  if (message.kind === 'text') wanted[message.id]?.(message.text);
  else void answer(message).then((answered) => port.postMessage(answered));
});
port.postMessage({ kind: 'ready' } satisfies WorkerAnswer);
