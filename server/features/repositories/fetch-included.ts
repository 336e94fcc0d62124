import { hash } from 'node:crypto';
import { posix } from 'node:path';
import { documentBytesMaxOf } from '#server/ingest/formats/size-limit.ts';
import type { ParsePool } from '#server/ingest/parse/index.ts';
import type { BlobReader, FetchedTree } from '#server/platform/git/index.ts';
import type { ChosenFile } from './choose-files.ts';
import { type Content, contentOf, hashOf } from './file-content.ts';

/** A file that is included may include others: so many times is asked for what the last answer made known. */
const roundsMax = 3;

/** Puts what a file includes into its content, and answers what that is known by: what it includes may change while it stays the same. */
type Include = (file: ChosenFile, content: Content, blobs: BlobReader) => Promise<string>;

/** Fetches what the given files include, wherever in the revision it lies; paths of files are those below the folder. */
export async function fetchIncluded(
  tree: FetchedTree,
  folder: string | undefined,
  files: readonly ChosenFile[],
  { parsePool, signal }: { parsePool: ParsePool; signal: AbortSignal },
): Promise<Include> {
  let ids: Promise<Map<string, string>> | undefined;
  // A process that reads no repository has no use for it.
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
