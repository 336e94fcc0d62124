import type { Context } from '#server/context.ts';
import { findOrphans, listLibraryKeys } from '#server/features/indexing/index.ts';
import { findOrphanPdfFiles, listPdfKeys } from '#server/features/pdf-sets/index.ts';
import type { BlobEntry, Blobs } from '#server/platform/blobs/index.ts';
import { isInTrash, moveToTrash } from '#server/platform/blobs/trash.ts';
import { forgetGaps, type Gap, listGaps, storeRecordKey } from '#server/platform/store-claim.ts';

/** Younger files may belong to work whose row is not written yet. */
const ageMsMin = 24 * 60 * 60_000;
/** More than this share of the store cannot be leftovers of killed processes, but indicates missing rows. */
const shareMax = 0.1;

/** Files that no row refers to, and why they are kept, if they are. */
export interface Litter {
  /** Files that can be deleted now. */
  removable: BlobEntry[];
  /** Files that stay for now, even in a forced sweep. */
  young: BlobEntry[];
  /**
   * Files stored while this database, later restored from a backup, did not see it. Deleted only on the operator's
   * request.
   */
  unseen: BlobEntry[];
  /** Why nothing is deleted without the operator's request; undefined if it can be. */
  held: string | undefined;
}

/** Finds files that no row refers to. Read-only. */
export async function surveyStore(ctx: Context, { blobs }: { blobs: Blobs }): Promise<Litter> {
  // Files before rows: files stored later are ignored.
  const entries = (await blobs.entries('')).filter(({ key }) => !isInTrash(key) && key !== storeRecordKey);
  const orphanKeys = new Set([...(await findOrphans(ctx, blobs)), ...(await findOrphanPdfFiles(ctx, blobs))]);
  const known = [...(await listLibraryKeys(ctx)), ...(await listPdfKeys(ctx))];
  const orphans = entries.filter(({ key }) => orphanKeys.has(key));
  return sortLitter({ entries, orphans, isRegistryEmpty: known.length === 0 }, await listGaps(ctx.db), ctx.clock.now());
}

/**
 * Moves files that no row refers to to the trash, and returns what it found. Unless the operator forces it
 * (`isForced`), keeps them if the registry is empty, if they are more than a tenth of the store, or if a restored
 * database cannot know them.
 */
export async function sweepStore(
  ctx: Context,
  parts: { blobs: Blobs },
  { isForced }: { isForced: boolean },
): Promise<Litter> {
  const litter = await surveyStore(ctx, parts);
  const { removable, unseen, held } = litter;
  const isHeld = held !== undefined && !isForced;
  const going = isHeld ? [] : [...removable, ...(isForced ? unseen : [])];
  const reason = isForced ? 'no row names it, and the operator said so' : 'no row names it';
  for (const { key } of going) {
    await moveToTrash({ ...parts, log: ctx.log }, key, { now: ctx.clock.now(), reason });
  }
  if (isForced) await forgetGaps(ctx.db);
  const counts = { moved: going.length, young: litter.young.length, unseen: unseen.length };
  if (isHeld) ctx.log.warn({ ...counts, held: removable.length, why: held }, 'files that no row names were left');
  else ctx.log.info(counts, 'the file store was swept');
  return litter;
}

export function sortLitter(
  found: { entries: BlobEntry[]; orphans: BlobEntry[]; isRegistryEmpty: boolean },
  gaps: Gap[],
  now: number,
): Litter {
  const { entries, orphans, isRegistryEmpty } = found;
  const isUnseen = ({ storedAt }: BlobEntry) => gaps.some(({ from, to }) => storedAt >= from && storedAt <= to);
  const unseen = orphans.filter(isUnseen);
  const rest = orphans.filter((entry) => !isUnseen(entry));
  const young = rest.filter(({ storedAt }) => !(storedAt <= now - ageMsMin));
  const removable = rest.filter(({ storedAt }) => storedAt <= now - ageMsMin);
  return { removable, young, unseen, held: reasonToHold(removable, entries, isRegistryEmpty) };
}

function reasonToHold(removable: BlobEntry[], entries: BlobEntry[], isRegistryEmpty: boolean): string | undefined {
  if (removable.length === 0) return undefined;
  if (isRegistryEmpty) return 'the database names no file at all';
  const isMuch = removable.length > entries.length * shareMax || bytesOf(removable) > bytesOf(entries) * shareMax;
  return isMuch ? 'they are more than a tenth of the store' : undefined;
}

function bytesOf(entries: BlobEntry[]): number {
  return entries.reduce((sum, { byteLength }) => sum + byteLength, 0);
}
