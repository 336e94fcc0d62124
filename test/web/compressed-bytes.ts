import { readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';

const bytesOfFile = new Map<string, number>();

/**
 * Returns a built script's size under Brotli, as it is sent. The hashes in the names of imported files are neutralized: they change
 * with every build, and with them a page's size by up to 150 bytes.
 */
export function compressedBytes(path: string): number {
  const known = bytesOfFile.get(path);
  if (known !== undefined) return known;
  const text = readFileSync(path, 'utf8').replace(/-[\w-]{8}(?=\.(?:js|css)\b)/g, '-00000000');
  const bytes = brotliCompressSync(text).length;
  bytesOfFile.set(path, bytes);
  return bytes;
}
