import { openBlobs } from '#server/platform/blobs/index.ts';

/** Puts blobs of one repeated byte in sequence, and prints each stored key. */
const { folder } = JSON.parse(process.argv[2] ?? '') as { folder: string };
const blobs = await openBlobs({ kind: 'folder', folder });
for (let at = 0; ; at++) {
  const key = `blob-${at}`;
  await blobs.put(
    key,
    Array.from({ length: 50 }, () => new Uint8Array(100_000).fill(at)),
  );
  process.stdout.write(`"${key}"\n`);
}
