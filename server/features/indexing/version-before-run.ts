import type { Context } from '#server/context.ts';
import { findSegments, type ModuleRow, segmentIdsOf } from '#server/features/catalog/index.ts';
import type { JobLease } from './job-lease.ts';

/**
 * The module as it was before its run: without the changed pages that an earlier attempt of the run, which was cut off, had
 * put over it. An earlier run's stay.
 */
export async function versionBeforeRun(ctx: Context, lease: JobLease, module: ModuleRow): Promise<ModuleRow> {
  const begunAt = lease.row.startTime;
  if (begunAt === null) return module;
  const own = (await findSegments(ctx.db.query, segmentIdsOf(module))).filter(({ createdAt }) => createdAt >= begunAt);
  const isOwn = new Set(own.map(({ id }) => id));
  const before = segmentIdsOf(module).filter((id) => !isOwn.has(id));
  // The run had put its whole version in service, and was cut off before it said so.
  if (own.length === 0 || before.length === 0) return module;
  const ownBytes = own.reduce((sum, { byteCount }) => sum + byteCount, 0);
  return { ...module, segments: JSON.stringify(before), byteCount: module.byteCount - ownBytes };
}
