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
