/** Larger files are data, regardless of their name. */
const documentBytesMax = 5_000_000;
/** GitHub's API description has 13 MB, as does a notebook with images; the text is a small part of it. */
const describingBytesMax = 20_000_000;

/**
 * Returns the size limit for reading a file of a folder or repository, by its name; only few kinds are worth reading
 * when large.
 */
export function documentBytesMaxOf(path: string): number {
  return /\.(?:json|ya?ml|ipynb)$/i.test(path) ? describingBytesMax : documentBytesMax;
}
