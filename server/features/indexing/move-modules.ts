import { findModuleById, moveModuleRows, setModuleSource, sourceIn } from '#server/features/catalog/index.ts';
import { moveCredentialRows } from '#server/features/source-credentials/index.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { Workspace } from '#server/platform/db/schema.ts';
import { moveJobs } from './job-store.ts';

type Owner = Exclude<Workspace, 'public'>;

/**
 * Moves the modules of one workspace to another, with their segments and runs, in the caller's transaction; returns how
 * many. From the commit on they belong to the new owner; an active run continues there. Modules whose id the new owner
 * already has stay, and so do runs of removed modules.
 */
export async function moveModules(tx: Transaction, from: Owner, to: Owner, now: number): Promise<number> {
  const moved = await moveModuleRows(tx, from, to);
  const moduleIds = moved.map(({ id }) => id);
  await moveCredentialRows(tx, { credentialIds: credentialIdsOf(moved), from, to });
  await moveJobs(tx, { moduleIds, from, to, now });
  if (moduleIds.length === 0) return 0;
  for (const audience of [from, to]) {
    announceChange(tx, { collection: 'modules', audience });
    announceChange(tx, { collection: 'jobRuns', audience });
  }
  return moduleIds.length;
}

/** Returns the credentials of these modules' sources, which move along because refreshes need them. */
function credentialIdsOf(modules: { source: string }[]): string[] {
  const sources = modules.map(({ source }) => sourceIn(source));
  return sources.flatMap((source) =>
    source !== undefined && 'credentialId' in source ? (source.credentialId ?? []) : [],
  );
}

/** Changes the address of a module's source; the next run reads it there. */
export async function moveSource(tx: Transaction, moduleId: string, url: string): Promise<void> {
  const module = await findModuleById(tx, moduleId);
  if (module === undefined) return;
  const source = sourceIn(module.source);
  if (source === undefined) return;
  await setModuleSource(tx, moduleId, JSON.stringify({ ...source, url }));
}
