import { z } from 'zod';

/** The last file of a backup: an archive without it is incomplete. */
export const manifestName = 'backup.json';
export const databaseName = 'data.sqlite';
export const secretName = 'secret';
export const erasuresName = 'erasures.jsonl';
export const blobsFolderName = 'blobs/';

export const manifestSchema = z.object({
  format: z.literal(1),
  version: z.string(),
  createdAt: z.number(),
  /** Files that rows refer to but that were missing when the backup was made. */
  missing: z.array(z.string()),
  files: z.array(z.object({ name: z.string(), byteLength: z.number(), sha256: z.string() })),
});

export type BackupManifest = z.output<typeof manifestSchema>;
