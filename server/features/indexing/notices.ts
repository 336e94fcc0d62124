import { namesPlaces } from '#server/features/catalog/index.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { JobRow } from './job-store.ts';
import { presentJob } from './present.ts';

/** Notifies the rest of the process about changes in the library. */
export interface LibraryNotices {
  jobChanged(row: JobRow): void;
  jobQueued(): void;
  cancelRequested(jobId: string): void;
}

/** Bus topics for runners. */
export const topics = { queued: 'job-queued', cancel: 'job-cancel' } as const;

/** Publishes on the bus: changes for readers, and separate topics for runners. */
export function createNotices(bus: Pick<Bus, 'publish'>, clock: Pick<Clock, 'now'>): LibraryNotices {
  // If the message depends on the reader, omit the row, so that each reader fetches it.
  const told = (row: JobRow) =>
    namesPlaces(row) ? {} : { row: presentJob(row, { now: clock.now(), seesPaths: false }) };
  return {
    jobChanged: (row) => announceChange(bus, { collection: 'jobRuns', audience: row.workspace, ...told(row) }),
    jobQueued: () => bus.publish(topics.queued, ''),
    cancelRequested: (jobId) => bus.publish(topics.cancel, jobId),
  };
}
