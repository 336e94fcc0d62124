import * as limits from '#contract/limits.ts';

const slugCharsMax = 60;

/**
 * A file's name as text to show: the last part of a path, without characters that hide, reorder or end lines. It never
 * names anything on a disk.
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

/** A part of an address made of a name: small ASCII letters, digits and hyphens. */
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

/** The slug itself, or with the first number behind it that makes it one of a kind. */
export function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  if (!taken.has(slug)) return slug;
  for (let number = 2; ; number += 1) if (!taken.has(`${slug}-${number}`)) return `${slug}-${number}`;
}

/** Id of the module that is made of a set. */
export function moduleIdOf(setSlug: string): string {
  return `pdf~${setSlug}`;
}

/** Address of a file, without fragment; `#page=12` addresses a page of it. */
export function addressOf(setSlug: string, fileSlug: string): string {
  return `pdf://${setSlug}/${fileSlug}.pdf`;
}

/** Everything of PDF sets in the blob store. */
export const pdfPrefix = 'pdfs/';

/** Where files and parts of a set are. */
export function folderOf(setId: string): string {
  return `${pdfPrefix}${setId}`;
}

/** A file has the id of the upload it was made of. */
export function fileKeyOf(setId: string, fileId: string): string {
  return `${folderOf(setId)}/files/${fileId}.pdf`;
}

/** Parts of an upload begin so; each has a key of its own, so that two that are sent at once do not mix. */
export function partsPrefixOf(setId: string, uploadId: string): string {
  return `${folderOf(setId)}/parts/${uploadId}/`;
}

/** The upload that a part or a file belongs to. */
export function uploadIdOf(key: string): string | undefined {
  return /^pdfs\/[^/]+\/(?:parts\/([^/]+)\/|files\/([^/]+)\.pdf$)/
    .exec(key)
    ?.slice(1)
    .find((id) => id !== undefined);
}
