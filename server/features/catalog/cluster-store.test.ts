import { expect, test } from 'vitest';
import { freshDatabase, onEachDatabase } from '#test/services/database.ts';
import { moduleRow } from '#test/services/rows.ts';
import { claimSegment, leaseMsMax, listSegmentsToWrite } from './cluster-store.ts';

const minuteMs = 60_000;
const now = 1_000_000 * minuteMs;

onEachDatabase('leases of segments that are written to the search cluster', (kind) => {
  test.each([
    ['that is over', now - 1, true],
    ['of another process', now + 5 * minuteMs, false],
    ['of a segment that cannot be read', now + leaseMsMax, false],
    ['by a clock that was ahead', now + 400_000 * minuteMs, true],
  ])('a lease %s', async (_, leaseUntil, isOver) => {
    const { query } = await freshDatabase(kind);
    const row = moduleRow({ id: 'm', segments: '["s"]', lastUpdatedAt: 1 });
    await query.insertInto('modules').values(row).execute();
    const segment = { id: 's', moduleId: 'm', blobKey: 'segments/m/s.seg', byteCount: 1, createdAt: 1 };
    await query.insertInto('segments').values(segment).execute();
    const lease = { segmentId: 's', tenant: 'public', indexId: 'i', leaseUntil, readyAt: null };
    await query.insertInto('clusterSegments').values(lease).execute();
    expect(await listSegmentsToWrite(query, now)).toHaveLength(isOver ? 1 : 0);
    const claimed = await claimSegment(query, { ...lease, leaseUntil: now + 5 * minuteMs }, now);
    expect(claimed?.leaseUntil).toBe(isOver ? now + 5 * minuteMs : undefined);
  });
});
