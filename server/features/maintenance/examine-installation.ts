import type { Context } from '#server/context.ts';
import { listOverdueEvents } from '#server/features/billing/index.ts';
import { checkContents, checkSegments, type OpenShelf } from '#server/features/catalog/index.ts';
import { checkLedger } from '#server/features/credits/index.ts';
import { checkLibrary, dropSegment, endStrayRun, type LibraryFault } from '#server/features/indexing/index.ts';
import { checkPdfFiles } from '#server/features/pdf-sets/index.ts';
import { checkTeams } from '#server/features/teams/index.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';
import { checkDatabase, checkJson } from '#server/platform/db/check-database.ts';

/** An inconsistency found in an installation. */
export interface Irregularity {
  /** The affected area: the database itself, sums of credits, teams, searchable contents, files, runs or events. */
  area: 'database' | 'ledger' | 'teams' | 'index' | 'files' | 'runs' | 'events';
  /** The affected object: a workspace, a module, a blob key, the id of a run or an event. */
  what: string;
  detail: string;
  /** True if it only takes up space. */
  isHarmless?: boolean;
  /** Set if it can be repaired without affecting anything else; `does` describes the repair. */
  repair?: { does: string; run(): Promise<unknown> };
}

/**
 * Checks the invariants of a whole installation, in all workspaces: rows and references are intact, the ledger matches
 * balances and receipts, teams have an admin and assign no more seats than they pay for, all passages are readable,
 * every file has a row and every row a file, no run belongs to a removed module, and all events are applied. Read-only,
 * except for the `repair` of a result. Safe while a server is running.
 */
export async function* examineInstallation(
  ctx: Context,
  { blobs, shelf }: { blobs: Blobs; shelf: OpenShelf },
): AsyncGenerator<Irregularity> {
  for (const detail of await checkDatabase(ctx.db)) yield { area: 'database', what: ctx.db.kind, detail };
  for (const fault of await checkJson(ctx.db)) yield { area: 'database', what: ctx.db.kind, ...fault };
  for (const fault of await checkLedger(ctx)) yield { area: 'ledger', ...fault };
  for (const fault of await checkTeams(ctx)) yield { area: 'teams', ...fault };
  for (const fault of await checkContents(ctx, shelf)) yield { area: 'index', ...fault };
  for (const { id, blobKey } of await checkSegments(ctx)) {
    const repair = { does: 'marked as dropped; its file goes with the next sweep', run: () => dropSegment(ctx, id) };
    yield { area: 'files', what: blobKey, detail: 'is served by no module and was not dropped', repair };
  }
  for (const fault of await checkLibrary(ctx, blobs)) yield ofLibrary(ctx, fault);
  for (const fault of await checkPdfFiles(ctx, blobs)) yield ofLibrary(ctx, fault);
  for (const fault of await listOverdueEvents(ctx)) yield { area: 'events', ...fault };
}

function ofLibrary(ctx: Context, { kind, what, detail }: LibraryFault): Irregularity {
  switch (kind) {
    case 'lost':
      return { area: 'files', what, detail };
    case 'orphan':
      return { area: 'files', what, detail, isHarmless: true };
    case 'stray':
      return { area: 'runs', what, detail, repair: { does: 'ended', run: () => endStrayRun(ctx, what) } };
    default:
      return kind satisfies never;
  }
}
