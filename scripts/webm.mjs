/**
 * Writes VP9 chunks as a WebM file (RFC 8794 and RFC 9559) with its duration and an index of key frames, so that
 * players know its length and can seek. `timestamp` is in microseconds; the first chunk must be a key frame.
 */
export function webmOf({ width, height, chunks }) {
  const milliseconds = chunks.map(({ timestamp }) => Math.round(timestamp / 1000));
  const info = element(0x1549a966, [
    element(0x2ad7b1, unsigned(1_000_000)),
    element(0x4489, float(milliseconds.at(-1) ?? 0)),
    element(0x4d80, Buffer.from('lectern')),
    element(0x5741, Buffer.from('lectern')),
  ]);
  const track = element(0xae, [
    element(0xd7, unsigned(1)),
    element(0x73c5, unsigned(1)),
    element(0x83, unsigned(1)),
    element(0x86, Buffer.from('V_VP9')),
    element(0xe0, [element(0xb0, unsigned(width)), element(0xba, unsigned(height))]),
  ]);
  const tracks = element(0x1654ae6b, track);
  const clusters = clustersOf(chunks, milliseconds);
  // The index precedes the data it points to; fixed-length numbers keep the index's own length constant.
  const cuesOf = (start) => {
    let at = start;
    const points = clusters.map(({ time, bytes }) => {
      const point = element(0xbb, [
        element(0xb3, unsigned(time)),
        element(0xb7, [element(0xf7, unsigned(1)), element(0xf1, unsigned(at, 8))]),
      ]);
      at += bytes.byteLength;
      return point;
    });
    return element(0x1c53bb6b, points);
  };
  const before = info.byteLength + tracks.byteLength;
  const cues = cuesOf(before + cuesOf(0).byteLength);
  const header = element(0x1a45dfa3, [
    element(0x4286, unsigned(1)),
    element(0x42f7, unsigned(1)),
    element(0x42f2, unsigned(4)),
    element(0x42f3, unsigned(8)),
    element(0x4282, Buffer.from('webm')),
    element(0x4287, unsigned(4)),
    element(0x4285, unsigned(2)),
  ]);
  return Buffer.concat([header, element(0x18538067, [info, tracks, cues, ...clusters.map(({ bytes }) => bytes)])]);
}

/** Returns one cluster for each key frame and the frames after it; timestamps are relative to the cluster's. */
function clustersOf(chunks, milliseconds) {
  const groups = [];
  for (const [place, chunk] of chunks.entries()) {
    const time = milliseconds[place] ?? 0;
    if (chunk.isKey || groups.length === 0) groups.push({ time, blocks: [] });
    const group = groups.at(-1);
    const head = Buffer.alloc(4);
    head.writeUInt8(0x81, 0);
    head.writeInt16BE(time - group.time, 1);
    head.writeUInt8(chunk.isKey ? 0x80 : 0, 3);
    group.blocks.push(element(0xa3, [head, chunk.data]));
  }
  return groups.map(({ time, blocks }) => ({
    time,
    bytes: element(0x1f43b675, [element(0xe7, unsigned(time)), ...blocks]),
  }));
}

function element(id, content) {
  const body = Array.isArray(content) ? Buffer.concat(content) : content;
  const name = Buffer.from(id.toString(16), 'hex');
  // Lengths always take eight bytes, which every reader supports and which need no size calculation.
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE(BigInt(body.byteLength) | (1n << 56n));
  return Buffer.concat([name, length, body]);
}

function unsigned(value, byteLength = Math.max(1, Math.ceil(value.toString(16).length / 2))) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes.subarray(8 - byteLength);
}

function float(value) {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes;
}
