import { indexStackName, type JobRun } from '#contract/library.ts';
import { teamOf } from '#server/context.ts';
import {
  folderAddress,
  folderNames,
  type JobSettings,
  limitsOf,
  placeOf,
  unknownSource,
  visibilityOf,
} from '#server/features/catalog/index.ts';
import { storedJson } from '#server/platform/db/stored-json.ts';
import { sentenceForOthers } from './failure.ts';
import type { JobRow } from './job-store.ts';

/**
 * Minimum of finished pages for an estimate: before, starting the parsers dominates, and the remaining time would be
 * overestimated.
 */
const pagesToJudgeBy = 5;

export interface JobViewing {
  now: number;
  /** True if the reader may see the server's folder paths and storage locations. */
  seesPaths: boolean;
  isModuleRemoved?: boolean;
  /** True if the reader may see who started a run of the public index. */
  seesStarter?: boolean;
}

/**
 * Returns a run as shown to users; the rate is the average of the whole run, and the remaining time assumes that it
 * stays constant.
 */
export function presentJob(
  row: JobRow,
  { now, seesPaths, isModuleRemoved = false, seesStarter = false }: JobViewing,
): JobRun {
  const { source = unknownSource, isRetry = false } = storedJson<Partial<JobSettings>>(row.settings, {});
  const done = row.fetched + row.unchanged + row.skipped + row.failed;
  const seconds = row.startTime === null ? 0 : ((row.endTime ?? now) - row.startTime) / 1000;
  const rate = seconds > 0 ? (row.fetched + row.unchanged) / seconds : 0;
  const isRunning = row.status === 'CRAWLING';
  const isPublic = row.workspace === 'public';
  return {
    id: row.id,
    executionId: `${row.id}:${row.attempt}`,
    uid: isPublic || teamOf(row.workspace) !== undefined ? null : row.workspace.slice('user:'.length),
    teamId: teamOf(row.workspace) ?? null,
    startedByUserId: isPublic && !seesStarter ? null : row.startedByUserId,
    stackName: indexStackName,
    moduleId: row.slug,
    displayName: row.displayName,
    url: placeOf(row.slug, { kind: row.kind, url: row.url }, seesPaths),
    kind: row.kind,
    limits: limitsOf(source),
    visibility: visibilityOf(row.workspace),
    status: row.status,
    isCancelled: row.cancelRequestedAt !== null,
    isModuleRemoved,
    found: row.found,
    fetched: row.fetched,
    docsCount: row.fetched + row.unchanged,
    unchanged: row.unchanged,
    skipped: row.skipped,
    failed: row.failed,
    snippets: row.snippets,
    contentBytes: row.contentBytes,
    pagesPerSecond: Math.round(rate * 10) / 10,
    secondsLeft:
      isRunning && done >= pagesToJudgeBy && rate > 0 ? Math.ceil(Math.max(0, row.found - done) / rate) : null,
    skipReasons: storedJson<JobRun['skipReasons']>(row.skipReasons, []),
    error: errorOf(row, seesPaths),
    quality: qualityOf(row),
    isRetry,
    retryAt: row.retryAt,
    isHeld: row.held !== null && row.status === 'FAILED',
    createdAt: row.createdAt,
    startTime: row.startTime,
    endTime: row.endTime,
  };
}

function errorOf(row: JobRow, seesPaths: boolean): string | null {
  if (seesPaths) return row.error;
  const { slug, kind, url } = row;
  const error = sentenceForOthers(row);
  return kind !== 'folder' || url === '/' ? error : (error?.replaceAll(url, folderAddress(slug)) ?? null);
}

function qualityOf({ slug, kind, url, quality }: JobRow): JobRun['quality'] {
  const kept = quality === null ? null : storedJson<JobRun['quality']>(quality, null);
  if (kept === null || kind !== 'folder') return kept;
  const { told } = folderNames(slug, [url]);
  return { ...kept, missed: kept.missed.map((probe) => ({ ...probe, address: told(probe.address) })) };
}
