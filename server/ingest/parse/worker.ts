import '#server/platform/threads/guard-compression.ts';
import { parentPort } from 'node:worker_threads';
import { ParseError } from './parse-error.ts';
import { type ParsedPage, type ParseInput, parsePage } from './parse-page.ts';

/** What a worker sends back: first `ready`, then one answer a page. */
export type WorkerAnswer =
  | { kind: 'ready' }
  | { kind: 'parsed'; page: ParsedPage }
  | { kind: 'failed'; code: 'parse-failed' | 'parse-memory' | 'unsupported-type'; message: string };

/** Characters of a page's passages and links; a page that shows more repeats what it has, a thousand times over. */
const pageCharactersMax = 50_000_000;
/** Each passage, section and link takes as much as this beside its texts. */
const charactersOfPart = 200;

/**
 * Returns true if a page is too large to be sent: what its passages share, such as a long name, is sent with each of them, in memory
 * that no thread's limit covers.
 */
function isTooLarge({ snippets, links }: ParsedPage): boolean {
  let left = pageCharactersMax;
  const count = (...texts: (string | undefined)[]) => {
    left -= charactersOfPart;
    for (const text of texts) left -= text?.length ?? 0;
  };
  for (const { url, text } of links) count(url, text);
  for (const { anchor, headingPath, identifiers, text, sections = [] } of snippets) {
    count(anchor, text, ...headingPath, ...identifiers);
    for (const section of sections) count(section.anchor, ...section.headingPath);
    if (left < 0) return true;
  }
  return left < 0;
}

function answer(input: ParseInput): WorkerAnswer {
  try {
    const page = parsePage(input);
    if (!isTooLarge(page)) return { kind: 'parsed', page };
    return { kind: 'failed', code: 'parse-memory', message: `${input.url} has too many passages, names or links.` };
  } catch (error) {
    if (error instanceof ParseError && (error.code === 'unsupported-type' || error.code === 'parse-failed'))
      return { kind: 'failed', code: error.code, message: error.message };
    // Strings and arrays beyond what the engine can hold: the page is too large, nothing is broken.
    const isBeyondEngine =
      error instanceof RangeError && /Invalid (?:string|array) length|allocation failed/.test(error.message);
    const detail = error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 300) : 'unknown error';
    return {
      kind: 'failed',
      code: isBeyondEngine ? 'parse-memory' : 'parse-failed',
      message: `${input.url} could not be read (${detail}).`,
    };
  }
}

if (!parentPort) throw new Error('The parse worker is started by the parse pool.');
const port = parentPort;
port.on('message', (input: ParseInput) => port.postMessage(answer(input)));
port.postMessage({ kind: 'ready' } satisfies WorkerAnswer);
