import type { Context } from '#server/context.ts';
import { listOverdueEvents } from '#server/features/billing/index.ts';
import { checkContents, checkSegments, type OpenShelf } from '#server/features/catalog/index.ts';
import { checkLedger } from '#server/features/credits/index.ts';
import { checkLibrary, dropSegment, endStrayRun, type LibraryFault } from '#server/features/indexing/index.ts';
import { checkPdfFiles } from '#server/features/pdf-sets/index.ts';
import { checkTeams } from '#server/features/teams/index.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';
import { checkDatabase, checkJson } from '#server/platform/db/check-database.ts';

/** Something of an installation that is not as it must be. */
export interface Irregularity {
  /** What holds no more: the file of rows itself, sums of credits, teams, what is searched, files, runs, events. */
  area: 'database' | 'ledger' | 'teams' | 'index' | 'files' | 'runs' | 'events';
  /** What it is about: a workspace, a module, a key of the blob store, the id of a run or an event. */
  what: string;
  detail: string;
  /** It takes room, and nothing else. */
  isHarmless?: boolean;
  /** There where it can be made good without touching anything else; what it does, in words. */
  repair?: { does: string; run(): Promise<unknown> };
}

/**
 * Looks through a whole installation, of all workspaces, for what must always hold: rows and references whole, the ledger
 * equal to balances and receipts, teams with an admin and no more seats than they pay for, every passage readable, every
 * file with a row and every row with a file, no run of what is gone, no event without its effect. Changes nothing;
 * `repair` of what was found does. Safe beside a running server.
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
