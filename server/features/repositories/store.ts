import { repositoryKeyOf, type SourceOf } from '#server/features/catalog/index.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { hasCome } from '#server/platform/db/has-come.ts';
import type { JobStatus, NewRow, Row, Workspace } from '#server/platform/db/schema.ts';

export type RepositoryRow = Row<'repositories'>;

/** How often repositories are checked if no pushes are reported. */
export const checkEveryMs = 5 * 60_000;

/** Returns the columns of a source; the text is stored as in the module, so that both can be compared. */
function columnsOf(source: SourceOf<'git'>, text: string) {
  return {
    source: text,
    repositoryKey: repositoryKeyOf(source.url),
    url: source.url,
    refKind: source.ref?.kind ?? null,
    refName: source.ref?.name ?? null,
    folder: source.folder ?? null,
    credentialId: source.credentialId ?? null,
  };
}

/** Stores the commit that a run has fetched. */
export async function noteFetched(
  db: Queries,
  fetched: { moduleId: string; source: SourceOf<'git'>; revision: string; jobId: string; nextCheckAt: number },
): Promise<void> {
  const { moduleId, source, revision, jobId: revisionJobId, nextCheckAt } = fetched;
  const change = { ...columnsOf(source, JSON.stringify(source)), revision, revisionJobId };
  await db
    .insertInto('repositories')
    .values({ moduleId, ...change, nextCheckAt })
    .onConflict((conflict) => conflict.column('moduleId').doUpdateSet(change))
    .execute();
}

/** Returns served repository modules whose row is missing or has another source. */
export async function listUnknownModules(db: Queries): Promise<{ id: string; source: string }[]> {
  return db
    .selectFrom('modules')
    .leftJoin('repositories', 'repositories.moduleId', 'modules.id')
    .select(['modules.id', 'modules.source'])
    .where('modules.kind', '=', 'git')
    .where('modules.lastUpdatedAt', 'is not', null)
    .where((where) =>
      where.or([
        where('repositories.moduleId', 'is', null),
        where('repositories.source', '!=', where.ref('modules.source')),
      ]),
    )
    .execute();
}

/** Inserts a row for a module's source, or replaces one with another source. */
export async function putRepository(
  db: Queries,
  row: { moduleId: string; source: SourceOf<'git'>; text: string; nextCheckAt: number },
): Promise<void> {
  const fresh = {
    ...columnsOf(row.source, row.text),
    ...{ revision: null, revisionJobId: null, queuedRevision: null, queuedJobId: null },
    ...{ checkedAt: null, nextCheckAt: row.nextCheckAt, failureCount: 0, checkError: null },
  } satisfies Omit<NewRow<'repositories'>, 'moduleId'>;
  await db
    .insertInto('repositories')
    .values({ moduleId: row.moduleId, ...fresh })
    .onConflict((conflict) => conflict.column('moduleId').doUpdateSet(fresh))
    .execute();
}

/** Returns repositories of served modules that are due, longest overdue first. */
export async function listDueRepositories(
  db: Queries,
  now: number,
  { mostMs, count }: { mostMs: number; count: number },
): Promise<RepositoryRow[]> {
  return db
    .selectFrom('repositories')
    .innerJoin('modules', 'modules.id', 'repositories.moduleId')
    .selectAll('repositories')
    .where(hasCome('repositories.nextCheckAt', now, mostMs))
    .where('modules.lastUpdatedAt', 'is not', null)
    .orderBy('repositories.nextCheckAt')
    .limit(count)
    .execute();
}

/** Claims a due repository by postponing its next check; only one process succeeds. */
export async function claimRepository(db: Queries, row: RepositoryRow, nextCheckAt: number): Promise<boolean> {
  const claimed = await db
    .updateTable('repositories')
    .set({ nextCheckAt })
    .where('moduleId', '=', row.moduleId)
    .where('nextCheckAt', '=', row.nextCheckAt)
    .returning('moduleId')
    .executeTakeFirst();
  return claimed !== undefined;
}

/** Stores a check's result. If a push arrived meanwhile, its own check remains due. */
export async function noteChecked(
  db: Queries,
  check: { moduleId: string; claimedUntil: number; nextCheckAt: number },
  change: Partial<NewRow<'repositories'>>,
): Promise<void> {
  await db
    .updateTable('repositories')
    .set((expression) => ({
      ...change,
      nextCheckAt: expression
        .case()
        .when('nextCheckAt', '=', check.claimedUntil)
        .then(check.nextCheckAt)
        .else(expression.ref('nextCheckAt'))
        .end(),
    }))
    .where('moduleId', '=', check.moduleId)
    .execute();
}

/**
 * Makes the repositories with these keys due at once, except those with another branch or tag than the pushed one;
 * returns their modules.
 */
export async function makeDue(
  db: Queries,
  { keys, refName }: { keys: string[]; refName: string | undefined },
): Promise<string[]> {
  const due = db.updateTable('repositories').set({ nextCheckAt: 0 }).where('repositoryKey', 'in', keys);
  const rows = await (refName === undefined
    ? due
    : due.where((where) => where.or([where('refName', '=', refName), where('refName', 'is', null)]))
  )
    .returning('moduleId')
    .execute();
  return rows.map(({ moduleId }) => moduleId);
}

/** Returns the repository rows of modules in these workspaces, by module id. */
export async function listRepositoryRows(
  db: Queries,
  workspaces: Workspace[],
): Promise<(RepositoryRow & { slug: string; workspace: Workspace })[]> {
  return db
    .selectFrom('repositories')
    .innerJoin('modules', 'modules.id', 'repositories.moduleId')
    .selectAll('repositories')
    .select(['modules.slug', 'modules.workspace'])
    .where('modules.workspace', 'in', workspaces)
    .orderBy('modules.slug')
    .execute();
}

/** Returns the results of runs, newest last; deleted runs are missing. */
export async function listRunEnds(
  db: Queries,
  jobIds: string[],
): Promise<{ id: string; status: JobStatus; error: string | null; cancelRequestedAt: number | null }[]> {
  if (jobIds.length === 0) return [];
  return db
    .selectFrom('jobRuns')
    .select(['id', 'status', 'error', 'cancelRequestedAt'])
    .where('id', 'in', jobIds)
    .orderBy('createdAt')
    .execute();
}

export async function findModuleOf(db: Queries, moduleId: string): Promise<Row<'modules'> | undefined> {
  return db.selectFrom('modules').selectAll().where('id', '=', moduleId).executeTakeFirst();
}

/** Returns the stored keys of a host. */
export async function readKnownKeys(db: Queries, host: string): Promise<string | undefined> {
  const row = await db.selectFrom('gitHosts').select('knownKeys').where('host', '=', host).executeTakeFirst();
  return row?.knownKeys;
}

/** Stores a host's keys; of several concurrent first contacts one counts. */
export async function keepKnownKeys(
  db: Queries,
  host: { host: string; knownKeys: string; now: number },
): Promise<void> {
  await db
    .insertInto('gitHosts')
    .values({ host: host.host, knownKeys: host.knownKeys, firstSeenAt: host.now })
    .onConflict((conflict) => conflict.column('host').doNothing())
    .execute();
}

export async function deleteKnownKeys(db: Queries, host: string): Promise<boolean> {
  const row = await db.deleteFrom('gitHosts').where('host', '=', host).returning('host').executeTakeFirst();
  return row !== undefined;
}
