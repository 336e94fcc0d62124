import { indexStackName, type JobRun, type LibraryModule, type SourceLimits } from '#contract/library.ts';
import { teamOf } from '#server/context.ts';
import type { Workspace } from '#server/platform/db/schema.ts';
import type { JobRow } from './job-store.ts';
import { libraryVersionOf } from './library-version.ts';
import type { ModuleRow } from './module-store.ts';
import { type JobSettings, type Source, sourceSchema } from './source.ts';

export function visibilityOf(workspace: Workspace): 'public' | 'private' {
  return workspace === 'public' ? 'public' : 'private';
}

/** With fewer done, the start of the programs that read them is most of the time, and what is left would be told far too long. */
const pagesToJudgeBy = 5;

/** A run as people see it; the rate is over the whole run, the time left assumes that it stays. */
export function presentJob(row: JobRow, now: number, isModuleRemoved = false): JobRun {
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
    startedByUserId: isPublic ? null : row.startedByUserId,
    stackName: indexStackName,
    moduleId: row.slug,
    displayName: row.displayName,
    url: row.url,
    kind: row.kind,
    limits: limitsOf((JSON.parse(row.settings) as JobSettings).source),
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
    skipReasons: JSON.parse(row.skipReasons) as JobRun['skipReasons'],
    error: row.error,
    quality: row.quality === null ? null : (JSON.parse(row.quality) as JobRun['quality']),
    isHeld: row.held !== null && row.status === 'FAILED',
    createdAt: row.createdAt,
    startTime: row.startTime,
    endTime: row.endTime,
  };
}

export function presentModule(row: ModuleRow): LibraryModule {
  const source = sourceSchema.parse(JSON.parse(row.source));
  return {
    moduleId: row.slug,
    displayName: row.displayName,
    visibility: visibilityOf(row.workspace),
    kind: row.kind,
    url: source.url,
    limits: limitsOf(source),
    ...libraryVersionOf(source, row.slug),
    rendersScripts: source.kind === 'site' && source.rendersScripts === true,
    hasCredential: 'credentialId' in source && source.credentialId !== undefined,
    pageCount: row.pageCount,
    snippetCount: row.snippetCount,
    tokenCount: row.tokenCount,
    byteCount: row.byteCount,
    lastUpdated: row.lastUpdatedAt,
  };
}

function limitsOf({ maxPages, depth, seeds }: Source): SourceLimits {
  return { maxPages, depth: depth ?? null, seeds };
}
