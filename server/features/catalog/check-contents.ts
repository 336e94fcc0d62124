import type { Context } from '#server/context.ts';
import type { Segment } from '#server/engine/index.ts';
import { findSegments, listAllModules, listUnservedSegments, type ModuleRow, segmentIdsOf } from './module-store.ts';
import type { OpenShelf } from './shelf.ts';

/** A module whose stored contents are damaged or inconsistent. */
export interface ContentFault {
  /** The module's id. */
  what: string;
  detail: string;
}

/**
 * Reads all modules of all workspaces completely and checks that checksums match, that each page has as many passages
 * as its record states, that no address occurs twice in a segment, and that the passage count in the module's row is
 * right. Read-only. A module that is replaced meanwhile is checked in its new state.
 */
export async function checkContents(ctx: Context, shelf: OpenShelf): Promise<ContentFault[]> {
  const faults: ContentFault[] = [];
  for (const module of await listAllModules(ctx.db.query)) {
    const reason = await faultOf(ctx, shelf, module);
    if (reason !== undefined) faults.push({ what: module.slug, detail: `${reason}; index it again` });
  }
  return faults;
}

/** Returns segments that no module serves and that no sweep will delete, because they are not marked as dropped. */
export async function checkSegments(ctx: Context): Promise<{ id: string; blobKey: string }[]> {
  const before = await listUnservedSegments(ctx.db.query);
  if (before.length === 0) return [];
  // Segments and modules are read in separate queries: a second look excludes segments replaced in between.
  const after = new Set((await listUnservedSegments(ctx.db.query)).map(({ id }) => id));
  return before.filter(({ id }) => after.has(id));
}

async function faultOf(ctx: Context, shelf: OpenShelf, module: ModuleRow): Promise<string | undefined> {
  const ids = segmentIdsOf(module);
  try {
    const keys = new Map((await findSegments(ctx.db.query, ids)).map(({ id, blobKey }) => [id, blobKey]));
    if (keys.size < ids.length) return 'serves a segment that has no row';
    const segments = await shelf.openSegments(ids, keys);
    for (const segment of segments) verifyPages(segment);
    const [only] = segments;
    const isWhole = segments.length === 1 && only !== undefined;
    if (!isWhole || only.snippetCount === module.snippetCount) return undefined;
    return `has ${only.snippetCount} passages, but its row says ${module.snippetCount}`;
  } catch (error) {
    return `cannot be read (${error instanceof Error ? error.message : String(error)})`;
  }
}

function verifyPages(segment: Segment): void {
  segment.verify();
  const seen = new Set<string>();
  let index = 0;
  for (const { url, snippetCount } of segment.pages()) {
    if (seen.has(url)) throw new Error(`the page ${url} occurs twice`);
    seen.add(url);
    const found = segment.pageSnippets(index).length;
    if (found !== snippetCount) throw new Error(`the page ${url} has ${found} of ${snippetCount} passages`);
    if (segment.findPage(url) !== index) throw new Error(`the page ${url} is not found by its address`);
    index += 1;
  }
}
