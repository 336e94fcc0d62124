/** A larger file is data, whatever it is called. */
const documentBytesMax = 5_000_000;
/** GitHub's description of its interface has 13 MB, a notebook with its pictures as much; their text is a small part of it. */
const describingBytesMax = 20_000_000;

/** Returns how large a file of a folder or repository may be to be read, judged by its name: few kinds are large and worth reading. */
export function documentBytesMaxOf(path: string): number {
  return /\.(?:json|ya?ml|ipynb)$/i.test(path) ? describingBytesMax : documentBytesMax;
}
