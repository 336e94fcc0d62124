import { findRunningJob } from '#server/features/catalog/index.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { cancelledFailure } from './failure.ts';
import { cancelWaitingJob, requestCancel } from './job-store.ts';
import { createNotices } from './notices.ts';

/**
 * Asks the run of a module to stop, in the transaction of the person who ends what it reads; one that no one works on ends at
 * once. Readers hear of it when the transaction has committed. What the module serves stays.
 */
export async function cancelRunsOf(tx: Transaction, moduleId: string, now: number): Promise<void> {
  const running = await findRunningJob(tx, moduleId);
  if (running === undefined) return;
  const { code: errorCode, sentence: error } = cancelledFailure;
  const changed =
    (await cancelWaitingJob(tx, running.id, { now, error, errorCode })) ?? (await requestCancel(tx, running.id, now));
  if (changed === undefined) return;
  const notices = createNotices(tx, { now: () => now });
  notices.jobChanged(changed);
  notices.cancelRequested(changed.id);
}
