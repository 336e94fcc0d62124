import type { LiveEvent } from '#contract/library.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Workspace } from '#server/platform/db/schema.ts';
import type { JobRow } from './job-store.ts';
import { presentJob } from './present.ts';

/** A change somebody may be looking at, with the workspace whose readers may know of it. */
export interface LibraryNotice {
  workspace: Workspace;
  event: LiveEvent;
}

/** Tells the rest of the process what changed in the library. */
export interface LibraryNotices {
  jobChanged(row: JobRow): void;
  jobQueued(): void;
  modulesChanged(workspace: Workspace): void;
  cancelRequested(jobId: string): void;
}

/** Topics on the bus; payloads are JSON. */
export const topics = { notice: 'library-notice', queued: 'job-queued', cancel: 'job-cancel' } as const;

/** Publishes notices on the bus. */
export function createNotices(bus: { publish(topic: string, payload: string): void }, clock: Clock): LibraryNotices {
  const send = (notice: LibraryNotice) => bus.publish(topics.notice, JSON.stringify(notice));
  return {
    jobChanged: (row) => send({ workspace: row.workspace, event: { type: 'job', job: presentJob(row, clock.now()) } }),
    jobQueued: () => bus.publish(topics.queued, ''),
    modulesChanged: (workspace) => send({ workspace, event: { type: 'modules' } }),
    cancelRequested: (jobId) => bus.publish(topics.cancel, jobId),
  };
}
