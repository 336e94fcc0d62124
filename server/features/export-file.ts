import type { Context } from '#server/context.ts';

/** Yields a file in pieces: as a whole, an export can need hundreds of megabytes, and block the process for seconds. */
export async function* fileOf(ctx: Context, text: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of text) yield Buffer.from(piece);
  } catch (error) {
    // The response has begun: the reader sees it end early.
    ctx.log.error({ err: error }, 'an export failed');
    throw error;
  }
}

/** Yields the JSON of a list that is read in pages, and returns the number of items. */
export async function* jsonOf(pages: AsyncIterable<unknown[]>): AsyncGenerator<string, number> {
  let count = 0;
  for await (const rows of pages) {
    yield rows.map((row, at) => `${count + at === 0 ? '[' : ','}\n${JSON.stringify(row)}`).join('');
    count += rows.length;
  }
  yield count === 0 ? '[]' : '\n]';
  return count;
}
