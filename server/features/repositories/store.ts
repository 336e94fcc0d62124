import { repositoryKeyOf, type SourceOf } from '#server/features/catalog/index.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { hasCome } from '#server/platform/db/has-come.ts';
import type { JobStatus, NewRow, Row, Workspace } from '#server/platform/db/schema.ts';

export type RepositoryRow = Row<'repositories'>;

/** How often every repository is looked at when no one reports pushes. */
export const checkEveryMs = 5 * 60_000;

/** The text is kept as the module has it, so that the two can be compared. */
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

/** Remembers which commit a run has fetched. */
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

/** Modules made from repositories that are served and whose row is missing or about another source. */
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

/** Makes a row for the source of a module, or puts it in the place of one about another source. */
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

/** Repositories of served modules whose time has come, the longest overdue first. */
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

/** Puts the next check off, which only one process can do of those that found it due. */
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

/** Writes the result of a check. A push delivered meanwhile still has its own check. */
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

/** Makes the repositories with one of these keys due at once, but for those of another branch or tag than was pushed; answers their modules. */
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

/** The rows of modules in these workspaces that were served once, by id of the module. */
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

/** How runs came out, the newest last; without those that are forgotten. */
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

/** The keys by which a host was first known. */
export async function readKnownKeys(db: Queries, host: string): Promise<string | undefined> {
  const row = await db.selectFrom('gitHosts').select('knownKeys').where('host', '=', host).executeTakeFirst();
  return row?.knownKeys;
}

/** Keeps them; of several that are first at once, one counts. */
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
