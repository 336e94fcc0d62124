import { listWorkspaceModules, runningStatuses } from '#server/features/catalog/index.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { SourceKind, Workspace } from '#server/platform/db/schema.ts';
import { type JobRow, listRunsOfKind } from './job-store.ts';

/** When a module was updated last, its active run and its newest finished run. */
export interface ModuleStanding {
  /** Null if it serves nothing yet or was removed. */
  lastUpdatedAt: number | null;
  running: JobRow | undefined;
  lastEnded: JobRow | undefined;
}

/** Returns the standings of a workspace's modules of one kind, by id, including removed modules that have runs left. */
export async function moduleStandings(
  db: Queries,
  workspace: Workspace,
  kind: SourceKind,
): Promise<Map<string, ModuleStanding>> {
  const standings = new Map<string, ModuleStanding>();
  const standingOf = (slug: string) => {
    const known = standings.get(slug) ?? { lastUpdatedAt: null, running: undefined, lastEnded: undefined };
    standings.set(slug, known);
    return known;
  };
  for (const module of await listWorkspaceModules(db, workspace)) {
    if (module.kind === kind) standingOf(module.slug).lastUpdatedAt = module.lastUpdatedAt;
  }
  for (const run of await listRunsOfKind(db, workspace, kind)) {
    const standing = standingOf(run.slug);
    if (runningStatuses.includes(run.status)) standing.running ??= run;
    else standing.lastEnded ??= run;
  }
  return standings;
}
