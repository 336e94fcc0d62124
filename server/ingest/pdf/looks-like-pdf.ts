/** Returns true if the bytes start like a PDF: readers accept the marker anywhere in the first 1,024 bytes. */
export function looksLikePdf(start: Uint8Array): boolean {
  return Buffer.from(start.subarray(0, 1024)).includes('%PDF-');
}
