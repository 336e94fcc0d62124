import type { Context } from '#server/context.ts';
import {
  listAllModules,
  listSegments,
  type ModuleRow,
  segmentIdsOf,
  vectorsPrefix,
} from '#server/features/catalog/index.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';
import { listSpoolsInUse, listUnendedJobs } from './job-store.ts';
import { crawlKeyOf } from './previous-version.ts';

/** An inconsistency in the database, in the blob store or between them. */
export interface LibraryFault {
  /**
   * `lost`: a module serves a segment that is missing. `orphan`: an unreferenced file, which only takes up space.
   * `stray`: a run of a removed module.
   */
  kind: 'lost' | 'orphan' | 'stray';
  /** A module's id, a blob's key or a run's id. */
  what: string;
  /** Describes the fault. */
  detail: string;
}

/** A snapshot of the stored files and the rows, read in this order: files, runs, then segments and modules. */
interface Survey {
  stored: { segments: string[]; vectors: string[]; crawls: string[]; runs: string[] };
  jobs: Awaited<ReturnType<typeof listUnendedJobs>>;
  segments: Awaited<ReturnType<typeof listSegments>>;
  modules: ModuleRow[];
  spoolIds: Set<string>;
}

/**
 * Compares the database with the blob store: each module's segments must have a row and a file, each segment, crawl
 * record and spool in the store must be referenced, and no active run may belong to a removed module. Read-only. Files
 * just written by active runs are not reported as orphans.
 */
export async function checkLibrary(ctx: Context, blobs: Blobs): Promise<LibraryFault[]> {
  const survey = await surveyLibrary(ctx, blobs);
  const { jobs, segments, modules } = survey;
  const keyOfSegment = new Map(segments.map(({ id, blobKey }) => [id, blobKey]));
  const faults: LibraryFault[] = [];
  for (const module of modules) {
    for (const id of segmentIdsOf(module)) {
      const key = keyOfSegment.get(id);
      if (key !== undefined && (await blobs.exists(key))) continue;
      const detail = `serves the segment ${key ?? id}, which is missing; index it again`;
      faults.push({ kind: 'lost', what: module.slug, detail });
    }
  }
  faults.push(...orphansOf(survey));
  const moduleIds = new Set(modules.map(({ id }) => id));
  for (const { id, slug, moduleId } of jobs) {
    if (moduleId !== null && moduleIds.has(moduleId)) continue;
    faults.push({ kind: 'stray', what: id, detail: `is a run of "${slug}", a module that was removed; cancel it` });
  }
  return faults;
}

/** Returns the keys of all blobs that the library's rows refer to. */
export async function listLibraryKeys(ctx: Pick<Context, 'db'>): Promise<string[]> {
  const [segments, modules] = [await listSegments(ctx.db.query), await listAllModules(ctx.db.query)];
  return [...segments.map(({ blobKey }) => blobKey), ...modules.map(({ id }) => crawlKeyOf(id))];
}

/**
 * Returns the keys of the library's unreferenced blobs, except those that an active run may have written. Keys are
 * listed before the rows that could refer to them are read.
 */
export async function findOrphans(ctx: Context, blobs: Blobs): Promise<string[]> {
  return orphansOf(await surveyLibrary(ctx, blobs)).map(({ what }) => what);
}

async function surveyLibrary(ctx: Context, blobs: Blobs): Promise<Survey> {
  const db = ctx.db.query;
  // Files first: files written later are ignored, and the rows read afterwards are newer than the files. Runs before
  // segments: if a run ends in between, its segment is already among the segments.
  const stored = {
    segments: await blobs.list('segments/'),
    vectors: await blobs.list(vectorsPrefix),
    crawls: await blobs.list('crawls/'),
    runs: await blobs.list('runs/'),
  };
  const jobs = await listUnendedJobs(db);
  const segments = await listSegments(db);
  const modules = await listAllModules(db);
  const spoolIds = new Set((await listSpoolsInUse(db, ctx.clock.now())).map(({ spoolId }) => spoolId));
  return { stored, jobs, segments, modules, spoolIds };
}

function orphansOf({ stored, jobs, segments, modules, spoolIds }: Survey): LibraryFault[] {
  const keys = new Set(segments.map(({ blobKey }) => blobKey));
  const segmentIds = new Set(segments.map(({ id }) => id));
  // A removed module's crawl record is deleted with the last of its segments.
  const moduleIds = [...modules.map(({ id }) => id), ...segments.map(({ moduleId }) => moduleId)];
  const crawlKeys = new Set(moduleIds.map(crawlKeyOf));
  const building = new Set(jobs.map(({ moduleId }) => moduleId));
  const nameIn = (key: string) => key.split('/')[1] ?? '';
  return [
    ...stored.segments
      .filter((key) => !keys.has(key) && !building.has(nameIn(key)))
      .map((key) => orphan(key, 'no segment')),
    ...stored.vectors.filter((key) => !segmentIds.has(nameIn(key))).map((key) => orphan(key, 'no segment')),
    ...stored.crawls
      .filter((key) => !crawlKeys.has(key) && !building.has(nameIn(key).replace(/\.zst$/, '')))
      .map((key) => orphan(key, 'no module')),
    ...stored.runs.filter((key) => !spoolIds.has(nameIn(key))).map((key) => orphan(key, 'no run')),
  ];
}

function orphan(key: string, owner: string): LibraryFault {
  return { kind: 'orphan', what: key, detail: `belongs to ${owner}; see "lectern store sweep"` };
}
