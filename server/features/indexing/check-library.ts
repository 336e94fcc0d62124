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

/** What there was at one time: files first, then runs, then what both may belong to. */
interface Survey {
  stored: { segments: string[]; vectors: string[]; crawls: string[]; runs: string[] };
  jobs: Awaited<ReturnType<typeof listUnendedJobs>>;
  segments: Awaited<ReturnType<typeof listSegments>>;
  modules: ModuleRow[];
  spoolIds: Set<string>;
}

/**
 * Walks database and blob store, and compares: each module's segments have a row and a file, each segment, crawl record
 * and spool in the store belongs to something, and no run is in progress for a module that is gone. Changes nothing. While
 * runs are in progress, files that they have just written are not told of as orphans.
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
      const detail = `serves the segment ${key ?? id}, which is not there; index it again`;
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

/** Keys of all blobs that the rows of the library name. */
export async function listLibraryKeys(ctx: Pick<Context, 'db'>): Promise<string[]> {
  const [segments, modules] = [await listSegments(ctx.db.query), await listAllModules(ctx.db.query)];
  return [...segments.map(({ blobKey }) => blobKey), ...modules.map(({ id }) => crawlKeyOf(id))];
}

/**
 * Keys of blobs of the library that nothing refers to, those that a run in progress may have written left out. Keys are listed before
 * the rows that could refer to them are read.
 */
export async function findOrphans(ctx: Context, blobs: Blobs): Promise<string[]> {
  return orphansOf(await surveyLibrary(ctx, blobs)).map(({ what }) => what);
}

async function surveyLibrary(ctx: Context, blobs: Blobs): Promise<Survey> {
  const db = ctx.db.query;
  // Files first: what is written after this is not looked at, and what it refers to is read later, so newer. Runs
  // before segments: one that ends in between has its segment among those.
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
  // The record of a module that was removed goes with the last of its segments.
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
