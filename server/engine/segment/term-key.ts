import { hashBytes } from './hash-table.ts';

/** A term as it is looked up: made once, used for every segment. */
export interface TermKey {
  bytes: Buffer;
  hash: number;
}

export function termKey(term: string): TermKey {
  const bytes = Buffer.from(term);
  return { bytes, hash: hashBytes(bytes) };
}
