import type { Segment } from '#server/engine/index.ts';

/**
 * Returns, for a module's segments, oldest first, which pages of each are replaced or removed by a later one, as bit
 * sets (bit `i & 7` of byte `i >> 3` for page i); undefined if there are none. Costs one lookup per page of each later
 * segment and earlier segment; later segments are small.
 */
export function hiddenPagesOf(segments: Segment[]): (Uint8Array | undefined)[] {
  const hidden: (Uint8Array | undefined)[] = segments.map(() => undefined);
  for (const [later, laterSegment] of segments.entries()) {
    if (later === 0) continue;
    for (let page = 0; page < laterSegment.pageCount; page += 1) {
      const { url } = laterSegment.page(page);
      for (const [earlier, earlierSegment] of segments.slice(0, later).entries()) {
        const replaced = earlierSegment.findPage(url);
        if (replaced === undefined) continue;
        const bits = (hidden[earlier] ??= new Uint8Array((earlierSegment.pageCount + 7) >> 3));
        bits[replaced >> 3] = (bits[replaced >> 3] ?? 0) | (1 << (replaced & 7));
      }
    }
  }
  return hidden;
}
