import '#server/platform/threads/guard-compression.ts';
import { parentPort } from 'node:worker_threads';
import { ParseError } from './parse-error.ts';
import { type ParsedPage, type ParseInput, parsePage } from './parse-page.ts';

/** What a worker sends back: first `ready`, then one answer a page. */
export type WorkerAnswer =
  | { kind: 'ready' }
  | { kind: 'parsed'; page: ParsedPage }
  | { kind: 'failed'; code: 'parse-failed' | 'parse-memory' | 'unsupported-type'; message: string };

function answer(input: ParseInput): WorkerAnswer {
  try {
    return { kind: 'parsed', page: parsePage(input) };
  } catch (error) {
    if (error instanceof ParseError && (error.code === 'unsupported-type' || error.code === 'parse-failed'))
      return { kind: 'failed', code: error.code, message: error.message };
    // Strings and arrays beyond what the engine can hold: the page is too large, nothing is broken.
    const isTooLarge =
      error instanceof RangeError && /Invalid (?:string|array) length|allocation failed/.test(error.message);
    const detail = error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 300) : 'unknown error';
    return {
      kind: 'failed',
      code: isTooLarge ? 'parse-memory' : 'parse-failed',
      message: `${input.url} could not be read (${detail}).`,
    };
  }
}

if (!parentPort) throw new Error('The parse worker is started by the parse pool.');
const port = parentPort;
port.on('message', (input: ParseInput) => port.postMessage(answer(input)));
port.postMessage({ kind: 'ready' } satisfies WorkerAnswer);
