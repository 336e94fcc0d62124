/** Returns true if the bytes begin as a PDF does: readers look for the mark in the first 1,024 bytes. */
export function looksLikePdf(start: Uint8Array): boolean {
  return Buffer.from(start.subarray(0, 1024)).includes('%PDF-');
}
