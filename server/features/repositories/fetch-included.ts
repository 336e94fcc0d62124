import { hash } from 'node:crypto';
import { posix } from 'node:path';
import { documentBytesMaxOf } from '#server/ingest/formats/size-limit.ts';
import type { ParsePool } from '#server/ingest/parse/index.ts';
import type { BlobReader, FetchedTree } from '#server/platform/git/index.ts';
import type { ChosenFile } from './choose-files.ts';
import { type Content, contentOf, hashOf } from './file-content.ts';

/** Included files may include others: rounds of fetching newly found includes. */
const roundsMax = 3;

/**
 * Replaces includes in a file by their content, and returns the hash of the result: an included file may change while
 * the file itself does not.
 */
type Include = (file: ChosenFile, content: Content, blobs: BlobReader) => Promise<string>;

/**
 * Fetches the files that the given files include, from anywhere in the revision; files' paths are relative to the
 * folder.
 */
export async function fetchIncluded(
  tree: FetchedTree,
  folder: string | undefined,
  files: readonly ChosenFile[],
  { parsePool, signal }: { parsePool: ParsePool; signal: AbortSignal },
): Promise<Include> {
  let ids: Promise<Map<string, string>> | undefined;
  // Imported lazily: processes that read no repositories do not need it.
  const { textOf } = await import('#server/ingest/formats/includes.ts');
  const including =
    (onMissing: (id: string) => void): Include =>
    async (file, content, blobs) => {
      if (content.format === 'pdf') return hashOf(file);
      const read = async (target: string) => {
        ids ??= idsOf(tree);
        const id = (await ids).get(target);
        if (id === undefined) return undefined;
        const blob = await blobs.read(id, documentBytesMaxOf(target));
        if ('isMissing' in blob) onMissing(id);
        return 'bytes' in blob ? textOf(blob.bytes) : undefined;
      };
      const path = posix.join(folder ?? '', file.path);
      const bytes = await parsePool.include({ bytes: content.bytes, format: content.format, path, read }, signal);
      if (bytes === content.bytes) return hashOf(file);
      content.bytes = bytes;
      return `${hashOf(file)}+${hash('sha256', bytes, 'hex')}`;
    };

  let unread = files.filter(({ readAs }) => readAs === 'documentation' || readAs === 'text');
  for (let round = 0; round < roundsMax && unread.length > 0; round++) {
    const missing = new Set<string>();
    const next: ChosenFile[] = [];
    const blobs = tree.openBlobs();
    try {
      for (const file of unread) {
        const content = await contentOf(file, blobs);
        if (typeof content === 'string') continue;
        let isWhole = true;
        const note = (id: string) => {
          missing.add(id);
          isWhole = false;
        };
        await including(note)(file, content, blobs);
        if (!isWhole) next.push(file);
      }
    } finally {
      blobs.close();
    }
    if (missing.size === 0) break;
    await tree.fetchBlobs([...missing]);
    unread = next;
  }
  return including(() => undefined);
}

async function idsOf(tree: FetchedTree): Promise<Map<string, string>> {
  const entries = (await tree.wholeTree()).filter(({ kind }) => kind === 'file');
  return new Map(entries.flatMap(({ path, id }) => (path === undefined ? [] : [[path, id]])));
}
