import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import type { Segment } from '#server/engine/index.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';
import type { Database } from '#server/platform/db/database.ts';
import { libraryVersionOf } from './library-version.ts';
import { findSegments, listServedModules, type ModuleRow } from './module-store.ts';
import { OpenedSegments } from './opened-segments.ts';
import { readableWorkspaces } from './policy.ts';
import { visibilityOf } from './present.ts';
import { segmentIdsOf } from './publish.ts';
import { isDamage, SegmentVersionError } from './segment-damage.ts';
import type { FoundPage, ModuleView, ReadableModule, Shelf, UnreadableModule } from './shelf-types.ts';
import { sourceSchema } from './source.ts';
import { hiddenPagesOf, isHidden } from './superseded-pages.ts';

type OpenedView = Omit<ModuleView, 'module' | 'name'>;

export interface OpenShelf extends Shelf {
  /** The segments with these ids, in order; `blobKeys` tells where each lies. For work on a module, not for readers. */
  openSegments(segmentIds: string[], blobKeys: ReadonlyMap<string, string>): Promise<Segment[]>;
  /** Forgets and closes all other segments; nobody may be reading them any more. */
  closeAllBut(segmentIds: ReadonlySet<string>): void;
  close(): void;
}

/** Keeps the segments that were asked for open; one opening per segment, shared by all searches of the process. */
export function createShelf(deps: { db: Database; blobs: Blobs }): OpenShelf {
  return new SegmentShelf(deps.db, new OpenedSegments(deps.blobs));
}

class SegmentShelf implements OpenShelf {
  readonly #db: Database;
  readonly #segments: OpenedSegments;
  readonly #views = new Map<string, { segmentIds: string[]; views: OpenedView[] }>();

  constructor(db: Database, segments: OpenedSegments) {
    this.#db = db;
    this.#segments = segments;
  }

  async readableModules(ctx: Context): Promise<ReadableModule[]> {
    return (await listServedModules(this.#db.query, readableWorkspaces(ctx))).map(toReadable);
  }

  async openViews(wanted: ReadableModule[]): Promise<ModuleView[]> {
    const { views, unreadable: faulty } = await this.openSound(wanted);
    if (faulty[0] !== undefined) throw faulty[0].fault;
    return views;
  }

  async openSound(wanted: ReadableModule[]): Promise<{ views: ModuleView[]; unreadable: UnreadableModule[] }> {
    const opened = await Promise.all(
      wanted.map(async (module) => {
        const name = `${module.moduleId} ${module.displayName}`;
        try {
          return (await this.#viewsOf(module)).map((view) => ({ ...view, name, module }));
        } catch (error) {
          if (error instanceof AppError) return { module, fault: error };
          throw error;
        }
      }),
    );
    return {
      views: opened.flatMap((entry) => (Array.isArray(entry) ? entry : [])),
      unreadable: opened.flatMap((entry) => (Array.isArray(entry) ? [] : [entry])),
    };
  }

  async findPage(ctx: Context, url: string): Promise<FoundPage | undefined> {
    const modules = await this.readableModules(ctx);
    const ofWorkspace = modules.filter(({ visibility }) => visibility === 'private');
    const ofEverybody = modules.filter(({ visibility }) => visibility === 'public');
    return (await this.#newestPage(ofWorkspace, url)) ?? (await this.#newestPage(ofEverybody, url));
  }

  async openSegments(segmentIds: string[], blobKeys: ReadonlyMap<string, string>): Promise<Segment[]> {
    return Promise.all(segmentIds.map((id) => this.#segments.open(id, blobKeys.get(id) ?? missingKey)));
  }

  closeAllBut(segmentIds: ReadonlySet<string>): void {
    for (const [rowId, module] of this.#views) {
      if (module.segmentIds.some((id) => !segmentIds.has(id))) this.#views.delete(rowId);
    }
    this.#segments.closeAllBut(segmentIds);
  }

  close(): void {
    this.closeAllBut(new Set());
  }

  /** A damaged module is only told of when no other has the page. */
  async #newestPage(modules: ReadableModule[], url: string): Promise<FoundPage | undefined> {
    let newest: (FoundPage & { fetchedAt: number }) | undefined;
    const faults: unknown[] = [];
    for (const module of modules) {
      const views = await this.#viewsOf(module).catch((error: unknown) => {
        faults.push(error);
        return [];
      });
      const found = pageIn(views, url);
      if (found !== undefined && found.fetchedAt > (newest?.fetchedAt ?? -1)) newest = { ...found, module };
    }
    if (newest === undefined && faults.length > 0) throw faults[0];
    return newest;
  }

  async #viewsOf(module: ReadableModule): Promise<OpenedView[]> {
    const { segmentIds } = module;
    const known = this.#views.get(module.rowId);
    if (known !== undefined && sameList(known.segmentIds, segmentIds)) return known.views;
    try {
      const rows = await findSegments(this.#db.query, segmentIds);
      const segments = await this.openSegments(segmentIds, new Map(rows.map(({ id, blobKey }) => [id, blobKey])));
      const hidden = hiddenPagesOf(segments);
      const views = segments.map((segment, at) => ({ segment, key: segmentIds[at] ?? '', hiddenPages: hidden[at] }));
      this.#views.set(module.rowId, { segmentIds, views });
      return views;
    } catch (error) {
      throw isDamage(error) ? unreadable(module, error) : error;
    }
  }
}

/** The page in the newest of a module's segments that has it; none when the newest says that it is gone. */
function pageIn(views: OpenedView[], url: string): Omit<FoundPage & { fetchedAt: number }, 'module'> | undefined {
  for (const { segment, hiddenPages } of views.toReversed()) {
    const pageIndex = segment.findPage(url);
    if (pageIndex === undefined || isHidden(hiddenPages, pageIndex)) continue;
    const { snippetCount, fetchedAt } = segment.page(pageIndex);
    if (snippetCount > 0) return { segment, pageIndex, fetchedAt };
  }
  return undefined;
}

/** Names no blob: a segment without a row is not there. */
const missingKey = 'segments/missing';

function toReadable(row: ModuleRow): ReadableModule {
  const source = sourceSchema.parse(JSON.parse(row.source));
  return {
    rowId: row.id,
    moduleId: row.slug,
    displayName: row.displayName,
    visibility: visibilityOf(row.workspace),
    kind: row.kind,
    url: source.url,
    ...libraryVersionOf(source, row.slug),
    lastUpdatedAt: row.lastUpdatedAt,
    pageCount: row.pageCount,
    snippetCount: row.snippetCount,
    tokenCount: row.tokenCount,
    segmentIds: segmentIdsOf(row),
  };
}

function sameList(a: string[], b: string[]): boolean {
  return a.length === b.length && a.every((id, index) => id === b[index]);
}

function unreadable(module: ReadableModule, cause: unknown): AppError {
  const values = { module: module.moduleId, address: module.url };
  if (!(cause instanceof SegmentVersionError)) return new AppError('index-damaged', { values, cause });
  return new AppError('index-of-other-version', {
    values: { ...values, age: cause.isOlder ? 'an older' : 'a newer' },
    cause,
  });
}
