import { runningStatuses } from '#server/features/catalog/index.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { hasCome } from '#server/platform/db/has-come.ts';
import type { Workspace } from '#server/platform/db/schema.ts';

/** The owner of waiting runs: a workspace's user or team; for the public index, the user who started them. */
interface Tenant {
  workspace: Workspace;
  startedByUserId: string;
  /** Number of active runs of the workspace, or that the user started in any. */
  underWay: number;
  /** When one of their runs was last leased or yielded its slot; 0 for never. */
  servedAt: number;
  /** When their oldest waiting run was queued. */
  waitingSince: number;
}

/**
 * Returns the next waiting run, excluding `except`. Tenants take turns: first those with the fewest active runs, then
 * those served longest ago, so that one tenant's thousand runs do not delay another's first. Within a tenant the oldest
 * run is first. `isExtra`: considers only tenants without an active run; a user's runs in several workspaces count as
 * one tenant's.
 */
export async function findNextJob(
  db: Queries,
  now: number,
  { except, isExtra = false }: { except: string[]; isExtra?: boolean },
): Promise<{ id: string } | undefined> {
  const [next] = (await listTenants(db, now, { except, isExtra })).toSorted(
    (a, b) => a.underWay - b.underWay || a.servedAt - b.servedAt || a.waitingSince - b.waitingSince,
  );
  if (next === undefined || (isExtra && next.underWay > 0)) return undefined;
  return waitingJobs(db, now, except)
    .select('id')
    .where('workspace', '=', next.workspace)
    .$if(next.workspace === 'public', (query) => query.where('startedByUserId', '=', next.startedByUserId))
    .orderBy('createdAt')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

async function listTenants(
  db: Queries,
  now: number,
  { except, isExtra }: { except: string[]; isExtra: boolean },
): Promise<Tenant[]> {
  const waiting = await waitingJobs(db, now, except)
    .select(['workspace', 'startedByUserId'])
    .select(({ fn }) => fn.min('createdAt').as('waitingSince'))
    .groupBy(['workspace', 'startedByUserId'])
    .execute();
  // A single tenant needs no turns.
  if (waiting.length < (isExtra ? 1 : 2)) return waiting.map((one) => ({ ...one, underWay: 0, servedAt: 0 }));
  const started = await db
    .selectFrom('jobRuns')
    .select(['workspace', 'startedByUserId'])
    .select(({ fn, case: when, ref }) =>
      fn
        .max<number>(
          when()
            .when('leaseOwner', 'is', null)
            .then(fn.coalesce('leaseUntil', 'startTime'))
            .else(ref('startTime'))
            .end(),
        )
        .as('servedAt'),
    )
    .where('workspace', 'in', [...new Set(waiting.map(({ workspace }) => workspace))])
    .where('startTime', 'is not', null)
    .groupBy(['workspace', 'startedByUserId'])
    .execute();
  const active = await db
    .selectFrom('jobRuns')
    .select(['workspace', 'startedByUserId'])
    .where('status', 'in', runningStatuses)
    .where('leaseUntil', '>=', now)
    .execute();
  return waiting.map((one) => {
    const own = started.filter((other) => tenantOf(other) === tenantOf(one));
    const isOwn = (run: (typeof active)[number]) =>
      tenantOf(run) === tenantOf(one) || run.startedByUserId === one.startedByUserId;
    return {
      ...one,
      underWay: active.filter(isOwn).length,
      servedAt: Math.max(0, ...own.map(({ servedAt }) => servedAt ?? 0)),
    };
  });
}

/** Returns the tenant's key; in the shared public index, each user is a tenant. */
function tenantOf({ workspace, startedByUserId }: { workspace: string; startedByUserId: string }): string {
  return workspace === 'public' ? `public of ${startedByUserId}` : workspace;
}

/** The longest lease, set for a run that waits for an unreachable blob store. */
export const leaseMsMax = 5 * 60_000;

export function isLeaseOver(now: number) {
  return hasCome('leaseUntil', now, leaseMsMax);
}

function waitingJobs(db: Queries, now: number, except: string[]) {
  const waiting = db
    .selectFrom('jobRuns')
    .where('status', 'in', runningStatuses)
    .where((where) => where.or([where('leaseUntil', 'is', null), isLeaseOver(now)]));
  return except.length === 0 ? waiting : waiting.where('id', 'not in', except);
}
