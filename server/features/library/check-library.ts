import type { Context } from '#server/context.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';
import { listSpoolIdsInUse, listUnendedJobs } from './job-store.ts';
import { listAllModules, listSegments } from './module-store.ts';
import { crawlKeyOf } from './previous-version.ts';
import { segmentIdsOf } from './publish.ts';

/** Something in the database, the blob store or between them that is not as it must be. */
export interface LibraryFault {
  /**
   * `lost`: a module serves what is not there. `orphan`: a file that nothing refers to, which takes room and nothing else.
   * `stray`: a run of a module that is gone.
   */
  kind: 'lost' | 'orphan' | 'stray';
  /** A module's id, a blob's key or a run's id. */
  what: string;
  /** What is wrong with it, in words. */
  detail: string;
}

/** As long as a failed run can be taken up again. */
const spoolLifetimeMs = 7 * 24 * 60 * 60_000;

/**
 * Walks database and blob store, and compares: each module's segments have a row and a file, each segment, crawl record
 * and spool in the store belongs to something, and no run is under way for a module that is gone. Changes nothing. While
 * runs are under way, files that they have just written are not told of as orphans.
 */
export async function checkLibrary(ctx: Context, blobs: Blobs): Promise<LibraryFault[]> {
  const db = ctx.db.query;
  // Files first: what is written after this is not looked at, and what it refers to is read later, so newer.
  const stored = {
    segments: await blobs.list('segments/'),
    crawls: await blobs.list('crawls/'),
    runs: await blobs.list('runs/'),
  };
  const jobs = await listUnendedJobs(db);
  const segments = await listSegments(db);
  const modules = await listAllModules(db);
  const spoolIds = new Set(await listSpoolIdsInUse(db, ctx.clock.now() - spoolLifetimeMs));
  const keyOfSegment = new Map(segments.map(({ id, blobKey }) => [id, blobKey]));
  const keys = new Set(segments.map(({ blobKey }) => blobKey));
  const crawlKeys = new Set(modules.map(({ id }) => crawlKeyOf(id)));
  const building = new Set(jobs.map(({ moduleId }) => moduleId));
  const faults: LibraryFault[] = [];
  for (const module of modules) {
    for (const id of segmentIdsOf(module)) {
      const key = keyOfSegment.get(id);
      if (key !== undefined && (await blobs.exists(key))) continue;
      const detail = `serves the segment ${key ?? id}, which is not there; index it again`;
      faults.push({ kind: 'lost', what: module.slug, detail });
    }
  }
  for (const key of stored.segments) {
    if (!keys.has(key) && !building.has(key.split('/')[1] ?? '')) faults.push(orphan(key, 'no segment'));
  }
  for (const key of stored.crawls) if (!crawlKeys.has(key)) faults.push(orphan(key, 'no module'));
  for (const key of stored.runs) if (!spoolIds.has(key.split('/')[1] ?? '')) faults.push(orphan(key, 'no run'));
  const moduleIds = new Set(modules.map(({ id }) => id));
  for (const { id, slug, moduleId } of jobs) {
    if (moduleId !== null && moduleIds.has(moduleId)) continue;
    faults.push({ kind: 'stray', what: id, detail: `is a run of "${slug}", a module that was removed; cancel it` });
  }
  return faults;
}

function orphan(key: string, owner: string): LibraryFault {
  return { kind: 'orphan', what: key, detail: `belongs to ${owner}; it goes with the next start of the server` };
}
