import { inTurn } from '../in-turn.ts';
import { GitError } from './git-error.ts';
import { killGroup, type Running } from './run-program.ts';

/** One file, link or submodule of a revision. */
export interface TreeEntry {
  /** Relative to the requested folder; undefined if the name is not UTF-8. */
  path: string | undefined;
  kind: 'file' | 'link' | 'submodule';
  /** Id of the content. */
  id: string;
}

/** Parses the output of `git ls-tree -r -z`, which may have a million entries. */
export async function parseTree(output: Buffer): Promise<TreeEntry[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const entries: TreeEntry[] = [];
  for await (const line of inTurn(linesOf(output))) {
    const tab = line.indexOf(9);
    const [mode = '', , id = ''] = line.subarray(0, tab).toString('latin1').split(' ');
    const kind = mode === '160000' ? 'submodule' : mode === '120000' ? 'link' : 'file';
    entries.push({ path: decode(decoder, line.subarray(tab + 1)), kind, id });
  }
  return entries;
}

function* linesOf(output: Buffer): Generator<Buffer> {
  for (let start = 0; start < output.length; ) {
    const end = output.indexOf(0, start);
    yield output.subarray(start, end < 0 ? output.length : end);
    start = end < 0 ? output.length : end + 1;
  }
}

function decode(decoder: { decode(bytes: Uint8Array): string }, bytes: Buffer): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return undefined;
  }
}

/** A file's content, or why it is missing. */
export type Blob = { id: string; bytes: Buffer } | { id: string; isTooLarge: true } | { id: string; isMissing: true };

/** Reads contents one by one from a running `git cat-file --batch`. */
export class BlobReader {
  readonly #child: Running;
  readonly #chunks: AsyncIterator<Buffer>;
  #buffer: Buffer = Buffer.alloc(0);
  #last: Promise<unknown> = Promise.resolve();

  constructor(child: Running) {
    this.#child = child;
    child.stdin.on('error', () => undefined);
    child.stderr.resume();
    child.on('error', () => undefined);
    this.#chunks = (child.stdout as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  }

  /** Returns a fetched content; skips contents of more than `bytesMax`. */
  read(id: string, bytesMax: number): Promise<Blob> {
    const next = this.#last.then(() => this.#read(id, bytesMax));
    this.#last = next.catch(() => undefined);
    return next;
  }

  async #read(id: string, bytesMax: number): Promise<Blob> {
    this.#child.stdin.write(`${id}\n`);
    const [, type = '', size = ''] = (await this.#line()).split(' ');
    if (type !== 'blob') return { id, isMissing: true };
    const length = Number(size);
    if (length > bytesMax) {
      await this.#skip(length + 1);
      return { id, isTooLarge: true };
    }
    const bytes = await this.#take(length);
    await this.#skip(1);
    return { id, bytes };
  }

  close(): void {
    killGroup(this.#child);
  }

  async #line(): Promise<string> {
    for (;;) {
      const end = this.#buffer.indexOf(10);
      if (end >= 0) {
        const line = this.#buffer.subarray(0, end).toString('latin1');
        this.#buffer = this.#buffer.subarray(end + 1);
        return line;
      }
      this.#buffer = Buffer.concat([this.#buffer, await this.#more()]);
    }
  }

  async #take(length: number): Promise<Buffer> {
    const parts: Buffer[] = [this.#buffer];
    let have = this.#buffer.length;
    while (have < length) {
      const chunk = await this.#more();
      parts.push(chunk);
      have += chunk.length;
    }
    const all = Buffer.concat(parts);
    this.#buffer = all.subarray(length);
    // A separate copy, because parsing moves it to another thread together with its whole buffer.
    const bytes = Buffer.from(new ArrayBuffer(length));
    all.copy(bytes, 0, 0, length);
    return bytes;
  }

  async #skip(length: number): Promise<void> {
    let left = length;
    while (left > this.#buffer.length) {
      left -= this.#buffer.length;
      this.#buffer = await this.#more();
    }
    this.#buffer = this.#buffer.subarray(left);
  }

  async #more(): Promise<Buffer> {
    const { done, value } = await this.#chunks.next();
    if (done === true) throw new GitError('git-failed', 'Reading the files of the repository broke off. Try again.');
    return value;
  }
}
