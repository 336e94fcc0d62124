import { ByteWriter } from './byte-writer.ts';
import { GrowingUint32 } from './growing-array.ts';
import type { PostingPool } from './posting-pool.ts';
import { skipTableOf } from './postings-format.ts';

/**
 * Lays the lists out term by term: bytes of the snippet postings (as a varint), these, then the page postings. Long
 * lists get an entry in the skip tables: (last snippet passed, byte reached) in turn.
 */
export function joinPostings(
  termCount: number,
  snippets: PostingPool,
  pages: PostingPool,
  snippetFrequency: GrowingUint32,
) {
  const out = new ByteWriter();
  const starts = new Uint32Array(termCount + 1);
  const skipTerms = new GrowingUint32();
  const skipStarts = new GrowingUint32();
  const skips = new GrowingUint32();
  for (let term = 0; term < termCount; term += 1) {
    const list = snippets.read(term);
    out.varint(list.byteLength);
    out.bytes(list);
    out.bytes(pages.read(term));
    starts[term + 1] = out.byteLength;
    const table = skipTableOf(list, snippetFrequency.get(term));
    if (table.length === 0) continue;
    skipTerms.push(term);
    skipStarts.push(skips.length);
    for (const value of table) skips.push(value);
  }
  skipStarts.push(skips.length);
  return {
    chunks: out.finish(),
    tables: {
      postingStarts: starts,
      skipTerms: skipTerms.view(),
      skipStarts: skipStarts.view(),
      skips: skips.view(),
    },
  };
}
