import * as limits from '#contract/limits.ts';

const slugCharsMax = 60;

/**
 * Returns a file's name for display: the last part of a path, without characters that hide or reorder text or end
 * lines. It is never used as a name on disk.
 */
export function cleanFileName(given: string): string {
  const name = given.split(/[\\/]/).findLast((part) => part.trim() !== '' && !/^\.+$/.test(part.trim()));
  const clean = (name ?? '')
    .replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .replace(/\p{Default_Ignorable_Code_Point}|\p{Cs}|[\u202a-\u202e\u2066-\u2069\ufff9-\ufffb]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
  return [...clean].slice(0, limits.pdfShownNameCharactersMax).join('') || 'document.pdf';
}

/** Returns a part of an address made from a name: lower-case ASCII letters, digits and hyphens. */
export function slugOf(name: string, fallback: string): string {
  const slug = name
    .replace(/\.pdf$/i, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, slugCharsMax)
    .replace(/^-+|-+$/g, '');
  return slug === '' ? fallback : slug;
}

/** Returns the slug, with the first number appended that makes it unique if it is taken. */
export function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  if (!taken.has(slug)) return slug;
  for (let number = 2; ; number += 1) if (!taken.has(`${slug}-${number}`)) return `${slug}-${number}`;
}

export function moduleIdOf(setSlug: string): string {
  return `pdf~${setSlug}`;
}

/** Returns the address of a file, without fragment; `#page=12` addresses one of its pages. */
export function addressOf(setSlug: string, fileSlug: string): string {
  return `pdf://${setSlug}/${fileSlug}.pdf`;
}

/** Prefix of all PDF set blobs. */
export const pdfPrefix = 'pdfs/';

/** Returns the folder of a set's files and parts. */
export function folderOf(setId: string): string {
  return `${pdfPrefix}${setId}`;
}

/** Returns the key of a file, which has the id of its upload. */
export function fileKeyOf(setId: string, fileId: string): string {
  return `${folderOf(setId)}/files/${fileId}.pdf`;
}

/** Returns the prefix of an upload's parts; each part has a unique key, so that concurrent ones do not mix. */
export function partsPrefixOf(setId: string, uploadId: string): string {
  return `${folderOf(setId)}/parts/${uploadId}/`;
}

/** Returns the blobs to delete with an upload: its parts, and the file of a completion that was interrupted. */
export function uploadBlobsOf({ setId, id }: { setId: string; id: string }): string[] {
  return [partsPrefixOf(setId, id), fileKeyOf(setId, id)];
}

/** Returns the upload id of a part's or file's key. */
export function uploadIdOf(key: string): string | undefined {
  return /^pdfs\/[^/]+\/(?:parts\/([^/]+)\/|files\/([^/]+)\.pdf$)/
    .exec(key)
    ?.slice(1)
    .find((id) => id !== undefined);
}
