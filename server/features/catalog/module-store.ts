import { builtOnce } from '#server/platform/db/built-once.ts';
import type { Queries, Transaction } from '#server/platform/db/database.ts';
import type { NewRow, Row, Workspace } from '#server/platform/db/schema.ts';
import { storedJson } from '#server/platform/db/stored-json.ts';

export type ModuleRow = Row<'modules'>;
export type SegmentRow = Row<'segments'>;

/** Inserts the module's row unless it exists; in both cases locks the row until the transaction ends. */
export async function ensureModule(tx: Transaction, row: NewRow<'modules'>): Promise<ModuleRow> {
  return tx
    .insertInto('modules')
    .values(row)
    .onConflict((conflict) => conflict.columns(['workspace', 'slug']).doUpdateSet({ slug: row.slug }))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Returns the modules of one or two workspaces that serve segments, private ones first, each group by slug. */
export async function listServedModules(
  db: Queries,
  [one, other = one]: readonly [Workspace] | readonly [Workspace, Workspace],
): Promise<ModuleRow[]> {
  const rows = await servedModules(db, { one, other });
  return [...rows.filter((row) => row.workspace !== 'public'), ...rows.filter((row) => row.workspace === 'public')];
}

const servedModules = builtOnce((db, { one, other }: { one: Workspace; other: Workspace }) =>
  db
    .selectFrom('modules')
    .selectAll()
    .where('workspace', 'in', [one, other])
    .where('lastUpdatedAt', 'is not', null)
    .orderBy('slug'),
);

/** Returns modules with this slug in these workspaces: at most one each. */
export async function findModules(db: Queries, workspaces: Workspace[], slug: string): Promise<ModuleRow[]> {
  return db.selectFrom('modules').selectAll().where('workspace', 'in', workspaces).where('slug', '=', slug).execute();
}

export async function findModuleById(db: Queries, moduleId: string): Promise<ModuleRow | undefined> {
  return db.selectFrom('modules').selectAll().where('id', '=', moduleId).executeTakeFirst();
}

export async function findModulesById(db: Queries, moduleIds: string[]): Promise<ModuleRow[]> {
  if (moduleIds.length === 0) return [];
  return db.selectFrom('modules').selectAll().where('id', 'in', moduleIds).execute();
}

/** Returns the ids of those modules that still exist. */
export async function findKnownModuleIds(db: Queries, moduleIds: string[]): Promise<Set<string>> {
  if (moduleIds.length === 0) return new Set();
  const rows = await db.selectFrom('modules').select('id').where('id', 'in', moduleIds).execute();
  return new Set(rows.map(({ id }) => id));
}

/** Replaces the segment list; undefined if another update changed the module since `revision`. */
export async function swapSegments(
  db: Queries,
  module: { id: string; revision: number },
  change: Partial<ModuleRow>,
): Promise<ModuleRow | undefined> {
  return db
    .updateTable('modules')
    .set({ ...change, revision: module.revision + 1 })
    .where('id', '=', module.id)
    .where('revision', '=', module.revision)
    .returningAll()
    .executeTakeFirst();
}

/** Returns the pages and bytes that all other modules of these workspaces serve, and their number. */
export async function sumOtherModules(
  db: Queries,
  workspaces: Workspace[],
  moduleId: string,
): Promise<{ pages: number; bytes: number; count: number }> {
  const sums = await db
    .selectFrom('modules')
    .select(({ fn }) => [
      fn.sum<number | null>('pageCount').as('pages'),
      fn.sum<number | null>('byteCount').as('bytes'),
      fn.countAll<number>().as('count'),
    ])
    .where('workspace', 'in', workspaces)
    .where('id', '!=', moduleId)
    .executeTakeFirst();
  return { pages: sums?.pages ?? 0, bytes: sums?.bytes ?? 0, count: sums?.count ?? 0 };
}

export async function setModuleSource(db: Queries, moduleId: string, source: string): Promise<void> {
  await db.updateTable('modules').set({ source }).where('id', '=', moduleId).execute();
}

/** Renames a module and returns it, with its row locked until the transaction ends; undefined if there is none. */
export async function setModuleName(
  tx: Transaction,
  moduleId: string,
  displayName: string,
): Promise<ModuleRow | undefined> {
  return tx.updateTable('modules').set({ displayName }).where('id', '=', moduleId).returningAll().executeTakeFirst();
}

export async function deleteModule(db: Queries, moduleId: string): Promise<void> {
  await db.deleteFrom('modules').where('id', '=', moduleId).execute();
}

export async function insertSegment(db: Queries, row: NewRow<'segments'>): Promise<void> {
  await db.insertInto('segments').values(row).execute();
}

export async function findSegments(db: Queries, segmentIds: string[]): Promise<SegmentRow[]> {
  if (segmentIds.length === 0) return [];
  return db.selectFrom('segments').selectAll().where('id', 'in', segmentIds).execute();
}

export async function findSegmentByKey(db: Queries, blobKey: string): Promise<SegmentRow | undefined> {
  return db.selectFrom('segments').selectAll().where('blobKey', '=', blobKey).executeTakeFirst();
}

/** Marks segments as no longer served; the next sweep deletes their blobs. */
export async function markSegmentsDropped(db: Queries, segmentIds: string[], now: number): Promise<void> {
  if (segmentIds.length === 0) return;
  await db.updateTable('segments').set({ droppedAt: now }).where('id', 'in', segmentIds).execute();
}

/** Marks a module's other segments as no longer served. */
export async function markOtherSegmentsDropped(
  db: Queries,
  moduleId: string,
  keptIds: string[],
  now: number,
): Promise<void> {
  await db
    .updateTable('segments')
    .set({ droppedAt: now })
    .where('moduleId', '=', moduleId)
    .where('id', 'not in', keptIds)
    .where('droppedAt', 'is', null)
    .execute();
}

export async function markModuleSegmentsDropped(db: Queries, moduleId: string, now: number): Promise<void> {
  await db
    .updateTable('segments')
    .set({ droppedAt: now })
    .where('moduleId', '=', moduleId)
    .where('droppedAt', 'is', null)
    .execute();
}

export async function listDroppedSegments(db: Queries, before: number): Promise<SegmentRow[]> {
  return db.selectFrom('segments').selectAll().where('droppedAt', '<', before).execute();
}

export async function deleteSegmentRow(db: Queries, segmentId: string): Promise<void> {
  await db.deleteFrom('segments').where('id', '=', segmentId).execute();
}

/**
 * Returns segments that are not marked as dropped although their module does not serve them (or is gone) and no run
 * holds them back.
 */
export async function listUnservedSegments(db: Queries): Promise<Pick<SegmentRow, 'id' | 'blobKey'>[]> {
  const rows = await db
    .selectFrom('segments')
    .leftJoin('modules', 'modules.id', 'segments.moduleId')
    .select(['segments.id', 'segments.blobKey', 'modules.segments as served'])
    .where('segments.droppedAt', 'is', null)
    .execute();
  const held = await heldSegmentIds(db);
  const isServed = (id: string, served: string | null) => served !== null && namesSegment({ segments: served }, id);
  return rows.filter(({ id, served }) => !(isServed(id, served) || (served !== null && held.has(id))));
}

/** Returns the ids of segments whose version is built but awaits approval. */
async function heldSegmentIds(db: Queries): Promise<Set<string>> {
  const rows = await db.selectFrom('jobRuns').select('held').where('held', 'is not', null).execute();
  return new Set(rows.flatMap(({ held }) => storedJson<{ segmentId?: string }>(held ?? '{}', {}).segmentId ?? []));
}

/** Marks a segment as dropped unless its module serves it or a run holds it back; locks the module's row meanwhile. */
export async function dropUnservedSegment(tx: Transaction, segmentId: string, now: number): Promise<void> {
  const [segment] = await findSegments(tx, [segmentId]);
  if (segment === undefined) return;
  const module = await tx
    .updateTable('modules')
    .set(({ ref }) => ({ slug: ref('slug') }))
    .where('id', '=', segment.moduleId)
    .returning('segments')
    .executeTakeFirst();
  if (module !== undefined && namesSegment(module, segmentId)) return;
  if (module !== undefined && (await heldSegmentIds(tx)).has(segmentId)) return;
  await markSegmentsDropped(tx, [segmentId], now);
}

/** Records that a check found a module unchanged, with its current source and name; undefined if the module is gone. */
export async function markModuleChecked(
  db: Queries,
  moduleId: string,
  change: Pick<ModuleRow, 'source' | 'displayName' | 'lastUpdatedAt'>,
): Promise<Pick<ModuleRow, 'workspace'> | undefined> {
  return db.updateTable('modules').set(change).where('id', '=', moduleId).returning('workspace').executeTakeFirst();
}

export async function listAllModules(db: Queries): Promise<ModuleRow[]> {
  return db.selectFrom('modules').selectAll().execute();
}

export async function listSegments(
  db: Queries,
): Promise<Pick<SegmentRow, 'id' | 'moduleId' | 'blobKey' | 'droppedAt'>[]> {
  return db.selectFrom('segments').select(['id', 'moduleId', 'blobKey', 'droppedAt']).execute();
}

/** Returns all modules of a workspace, including those that serve nothing yet. */
export async function listWorkspaceModules(db: Queries, workspace: Workspace): Promise<ModuleRow[]> {
  return db.selectFrom('modules').selectAll().where('workspace', '=', workspace).execute();
}

/**
 * Moves modules to another workspace, except those whose slug exists there and those that serve nothing and have no
 * active run; returns the moved ones.
 */
export async function moveModuleRows(
  tx: Transaction,
  from: Workspace,
  to: Workspace,
): Promise<Pick<ModuleRow, 'id' | 'source'>[]> {
  const taken = tx.selectFrom('modules').select('slug').where('workspace', '=', to);
  return tx
    .updateTable('modules')
    .set({ workspace: to })
    .where('workspace', '=', from)
    .where('slug', 'not in', taken)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('lastUpdatedAt', 'is not', null),
        exists(
          selectFrom('jobRuns')
            .select('jobRuns.id')
            .whereRef('jobRuns.moduleId', '=', 'modules.id')
            .where('jobRuns.endTime', 'is', null),
        ),
      ]),
    )
    .returning(['id', 'source'])
    .execute();
}

export async function countPublicModules(db: Queries): Promise<number> {
  const row = await db
    .selectFrom('modules')
    .select((expression) => expression.fn.countAll<number>().as('count'))
    .where('workspace', '=', 'public')
    .where('lastUpdatedAt', 'is not', null)
    .executeTakeFirst();
  return row?.count ?? 0;
}

export async function listNewestPublic(
  db: Queries,
  count: number,
): Promise<Pick<ModuleRow, 'slug' | 'displayName' | 'lastUpdatedAt'>[]> {
  return db
    .selectFrom('modules')
    .select(['slug', 'displayName', 'lastUpdatedAt'])
    .where('workspace', '=', 'public')
    .where('lastUpdatedAt', 'is not', null)
    .orderBy('lastUpdatedAt', 'desc')
    .orderBy('slug')
    .limit(count)
    .execute();
}

/**
 * Returns the ids of the segments a module serves, oldest first. For a damaged row, returns an id that does not exist,
 * as if the segment's file were lost.
 */
export function segmentIdsOf(module: Pick<ModuleRow, 'segments'>): string[] {
  return storedJson(module.segments, [unknownSegment]);
}

const unknownSegment = 'of a damaged row';

/** Returns true if the module serves the segment; true for a damaged row, which may have named any of its segments. */
function namesSegment(module: Pick<ModuleRow, 'segments'>, segmentId: string): boolean {
  const ids = segmentIdsOf(module);
  return ids.includes(segmentId) || ids.includes(unknownSegment);
}
