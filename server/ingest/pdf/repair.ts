/** A catalog: the object a reader begins at. */
const catalog = /(\d{1,10})\s+(\d{1,5})\s+obj\b(?:(?!endobj)[\s\S]){0,2000}?\/Type\s*\/Catalog\b/g;

/**
 * The bytes with a trailer that names the catalog, for a file that lost its end. Undefined when no catalog is readable or
 * there is a trailer already.
 */
export function withTrailer(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  if (/\btrailer\b/.test(text)) return undefined;
  const [, object, generation] = [...text.matchAll(catalog)].at(-1) ?? [];
  if (object === undefined || generation === undefined) return undefined;
  const trailer = Buffer.from(`\ntrailer\n<< /Root ${object} ${generation} R >>\nstartxref\n0\n%%EOF\n`, 'latin1');
  const whole = new Uint8Array(bytes.byteLength + trailer.byteLength);
  whole.set(bytes);
  whole.set(trailer, bytes.byteLength);
  return whole;
}
