import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { isHidden, type Segment } from '#server/engine/index.ts';
import { BlobError, type Blobs } from '#server/platform/blobs/blobs.ts';
import type { Database } from '#server/platform/db/database.ts';
import { addressToIndex, folderAddress, folderScheme, isFileAddress, namesOfFolder } from './folder-address.ts';
import { libraryVersionOf } from './library-version.ts';
import { findModulesById, findSegments, listServedModules, type ModuleRow, segmentIdsOf } from './module-store.ts';
import { OpenedSegments } from './opened-segments.ts';
import type { PageFinder, PagesToSearch } from './page-finder.ts';
import { readableWorkspaces, seesServerPaths } from './policy.ts';
import { visibilityOf } from './present-module.ts';
import { isDamage, SegmentVersionError } from './segment-damage.ts';
import type { FoundPage, ModuleView, NamedPage, ReadableModule, Shelf, UnreadableModule } from './shelf-types.ts';
import { isOwnDocs, sourceIn, unknownSource } from './source.ts';

/** Settings for an index larger than a process's memory. */
interface LargeIndex {
  finder: PageFinder;
  /** Memory limit of opened segments; the least recently used are closed first. */
  openedBytesMax: number;
}

interface OpenModule {
  module: ReadableModule;
  segmentIds: string[];
  views: OpenedView[];
  /** The `letGoOfIdle` round in which it was last used. */
  usedIn: number;
}

/** Keeps the requested segments open, each opened once and shared by all searches of the process. */
export class OpenShelf implements Shelf {
  readonly #db: Database;
  readonly #segments: OpenedSegments;
  readonly #large: LargeIndex | undefined;
  readonly #views = new Map<string, OpenModule>();
  #round = 0;

  constructor({ db, blobs, large }: { db: Database; blobs: Blobs; large?: LargeIndex | undefined }) {
    this.#db = db;
    this.#segments = new OpenedSegments(blobs);
    this.#large = large;
  }

  async readableModules(ctx: Context): Promise<ReadableModule[]> {
    return (await listServedModules(this.#db.query, readableWorkspaces(ctx))).map(toReadable);
  }

  async openViews(wanted: ReadableModule[]): Promise<ModuleView[]> {
    const { views, unreadable: faulty } = await this.openSound(wanted);
    if (faulty[0] !== undefined) throw faulty[0].fault;
    return views;
  }

  async openSound(
    wanted: ReadableModule[],
    question?: string,
  ): Promise<{ views: ModuleView[]; unreadable: UnreadableModule[] }> {
    const pages = question === undefined ? undefined : await this.#large?.finder.pagesFor(question, wanted);
    if (pages === undefined) return this.#openAll(wanted);
    const answering = wanted.filter(({ segmentIds }) => segmentIds.some((id) => pages.has(id)));
    const { views, unreadable: faulty } = await this.#openAll(answering);
    return { views: views.flatMap((view) => limitedTo(view, pages.get(view.key))), unreadable: faulty };
  }

  async #openAll(wanted: ReadableModule[]): Promise<{ views: ModuleView[]; unreadable: UnreadableModule[] }> {
    const opened = await Promise.all(
      wanted.map(async (module) => {
        const name = `${module.moduleId} ${module.displayName}`;
        try {
          return (await this.#viewsOf(module)).map((view) => ({ ...view, name, module }));
        } catch (error) {
          if (error instanceof AppError || error instanceof BlobError) return { module, fault: error };
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
    if (isFileAddress(url)) return (await this.#pagesOfFile(ctx, url))[0];
    const { ofWorkspace, ofEverybody } = await this.#modulesWith(ctx, url);
    return (await this.#pagesIn(ofWorkspace, url))[0] ?? (await this.#pagesIn(ofEverybody, url))[0];
  }

  async findPages(ctx: Context, url: string): Promise<FoundPage[]> {
    if (isFileAddress(url)) return this.#pagesOfFile(ctx, url);
    const { ofWorkspace, ofEverybody } = await this.#modulesWith(ctx, url);
    return [...(await this.#pagesIn(ofWorkspace, url)), ...(await this.#pagesIn(ofEverybody, url))];
  }

  async pagesBeside({ module, segment, pageIndex }: FoundPage): ReturnType<Shelf['pagesBeside']> {
    return servedBeside(await this.#viewsOf(module), segment.page(pageIndex).url);
  }

  async #modulesWith(ctx: Context, url: string) {
    const readable = await this.readableModules(ctx);
    const modules = url.startsWith(folderScheme)
      ? readable.filter(({ kind }) => kind === 'folder')
      : ((await this.#large?.finder.modulesWith(url, readable)) ?? readable);
    return {
      ofWorkspace: modules.filter(({ visibility }) => visibility === 'private'),
      ofEverybody: modules.filter(({ visibility }) => visibility === 'public'),
    };
  }

  /** Returns nothing to callers other than the operator, so as not to reveal whether the file exists. */
  async #pagesOfFile(ctx: Context, address: string): Promise<FoundPage[]> {
    if (!(await seesServerPaths(ctx))) return [];
    const pages: FoundPage[] = [];
    for (const row of await listServedModules(this.#db.query, readableWorkspaces(ctx))) {
      const url = (await namesOfFolder(row))?.pageOf(address);
      if (url !== undefined) pages.push(...(await this.#pagesIn([toReadable(row)], url)));
    }
    return pages;
  }

  /**
   * Opens the segments with these ids, in order; `blobKeys` maps ids to blob keys. For maintenance of modules, without
   * checking rights.
   */
  async openSegments(segmentIds: string[], blobKeys: ReadonlyMap<string, string>): Promise<Segment[]> {
    const opened = await Promise.all(segmentIds.map((id) => this.#segments.open(id, blobKeys.get(id) ?? missingKey)));
    if (this.#large !== undefined) this.#forget(this.#segments.letGoAbove(this.#large.openedBytesMax, segmentIds));
    return opened;
  }

  /** Forgets and closes all other segments; no caller may still be reading them. */
  closeAllBut(segmentIds: ReadonlySet<string>): void {
    for (const [rowId, module] of this.#views) {
      if (module.segmentIds.some((id) => !segmentIds.has(id))) this.#views.delete(rowId);
    }
    this.#segments.closeAllBut(segmentIds);
  }

  /**
   * Opens the current segments of modules that are open here, so that the first search after a swap does not wait, and
   * closes segments without a row.
   */
  async refresh(): Promise<void> {
    const faults: unknown[] = [];
    for (const row of await findModulesById(this.#db.query, [...this.#views.keys()])) {
      const known = this.#views.get(row.id);
      if (known === undefined || row.lastUpdatedAt === null || sameList(known.segmentIds, segmentIdsOf(row))) continue;
      // This is no use by a caller: a swap must not keep an idle module open.
      const { usedIn } = known;
      try {
        await this.#viewsOf(toReadable(row));
      } catch (error) {
        faults.push(error);
      }
      const opened = this.#views.get(row.id);
      if (opened !== undefined) opened.usedIn = Math.max(usedIn, known.usedIn);
    }
    await this.closeGone();
    // A module that fails to open must not prevent opening the others.
    if (faults.length > 0) throw faults[0];
  }

  /** Closes segments without a row. */
  async closeGone(): Promise<void> {
    // Listed before the query, so that segments opened meanwhile stay open.
    const { ids } = this.#segments;
    const present = new Set((await findSegments(this.#db.query, ids)).map(({ id }) => id));
    const gone = new Set(ids.filter((id) => !present.has(id)));
    this.#forget(gone);
    // Rows outlive every call that started with them, so no caller is reading these segments.
    this.#segments.close(gone);
  }

  /** Forgets the views of modules that have one of these segments. */
  #forget(gone: ReadonlySet<string>): void {
    if (gone.size === 0) return;
    for (const [rowId, { segmentIds }] of this.#views) {
      if (segmentIds.some((id) => gone.has(id))) this.#views.delete(rowId);
    }
  }

  /** Closes private modules that were not used since the last call. */
  letGoOfIdle(): void {
    for (const [rowId, { module, segmentIds, usedIn }] of this.#views) {
      if (module.visibility === 'public' || usedIn === this.#round) continue;
      this.#views.delete(rowId);
      this.#segments.letGo(segmentIds);
    }
    this.#round += 1;
  }

  close(): void {
    this.closeAllBut(new Set());
  }

  /** Returns the pages newest first. Throws a damaged module's error only if no other module has the page. */
  async #pagesIn(modules: ReadableModule[], url: string): Promise<FoundPage[]> {
    const pages: (FoundPage & { fetchedAt: number })[] = [];
    const faults: unknown[] = [];
    for (const module of modules) {
      const views = await this.#viewsOf(module).catch((error: unknown) => {
        faults.push(error);
        return [];
      });
      const found = pageIn(views, url);
      if (found !== undefined) pages.push({ ...found, module });
    }
    if (pages.length === 0 && faults.length > 0) throw faults[0];
    return pages.sort((a, b) => b.fetchedAt - a.fetchedAt);
  }

  async #viewsOf(module: ReadableModule): Promise<OpenedView[]> {
    const { segmentIds } = module;
    const known = this.#views.get(module.rowId);
    if (known !== undefined && sameList(known.segmentIds, segmentIds)) {
      known.usedIn = this.#round;
      this.#segments.touch(segmentIds);
      return known.views;
    }
    try {
      const rows = await findSegments(this.#db.query, segmentIds);
      const segments = await this.openSegments(segmentIds, new Map(rows.map(({ id, blobKey }) => [id, blobKey])));
      const hidden = hiddenPagesOf(segments);
      const views = segments.map((segment, at) => ({ segment, key: segmentIds[at] ?? '', hiddenPages: hidden[at] }));
      this.#views.set(module.rowId, { module, segmentIds, views, usedIn: this.#round });
      return views;
    } catch (error) {
      throw isDamage(error) ? unreadable(module, error) : error;
    }
  }
}

/** A blob key that does not exist, for segments without a row. */
const missingKey = 'segments/missing';

function toReadable(row: ModuleRow): ReadableModule {
  return {
    rowId: row.id,
    moduleId: row.slug,
    displayName: row.displayName,
    visibility: visibilityOf(row.workspace),
    kind: row.kind,
    ...factsOf(row),
    lastUpdatedAt: row.lastUpdatedAt,
    pageCount: row.pageCount,
    snippetCount: row.snippetCount,
    tokenCount: row.tokenCount,
    segmentIds: segmentIdsOf(row),
  };
}

/** A source that reached its page limit may have more pages. PDF sets have no such limit. */
function factsOf(row: ModuleRow): Pick<ReadableModule, 'url' | 'library' | 'version' | 'isOwnDocs' | 'isCut'> {
  const { pagesMax, ...facts } = sourceFactsOf(row);
  return { ...facts, ...(row.kind !== 'pdf' && pagesMax > 1 && row.pageCount >= pagesMax ? { isCut: true } : {}) };
}

type SourceFacts = Pick<ReadableModule, 'url' | 'library' | 'version' | 'isOwnDocs'> & { pagesMax: number };

/**
 * Facts by module row: validating a source takes longer than reading its row, and every search reads all modules' rows.
 */
const knownFacts = new Map<string, { source: string; facts: SourceFacts }>();
const knownFactsMax = 10_000;

function sourceFactsOf({ id, slug, kind, source }: ModuleRow): SourceFacts {
  const known = knownFacts.get(id);
  if (known?.source === source) return known.facts;
  const parsed = sourceIn(source) ?? unknownSource;
  const url = kind === 'folder' ? folderAddress(slug) : parsed.url;
  const facts = {
    url,
    ...libraryVersionOf(parsed, slug),
    isOwnDocs: isOwnDocs(parsed),
    pagesMax: parsed.maxPages,
  };
  if (knownFacts.size >= knownFactsMax) knownFacts.clear();
  knownFacts.set(id, { source, facts });
  return facts;
}

/** Limits the view to these pages; empty if the segment has none that can answer. */
function limitedTo(view: ModuleView, pages: PagesToSearch | undefined): ModuleView[] {
  if (pages === undefined) return [];
  return [pages === 'all' ? view : { ...view, onlyPages: pages }];
}

function sameList(a: string[], b: string[]): boolean {
  return a.length === b.length && a.every((id, index) => id === b[index]);
}

function unreadable(module: ReadableModule, cause: unknown): AppError {
  const values = { module: module.moduleId, address: addressToIndex(module) };
  if (!(cause instanceof SegmentVersionError)) return new AppError('index-damaged', { values, cause });
  return new AppError('index-of-other-version', {
    values: { ...values, age: cause.isOlder ? 'an older' : 'a newer' },
    cause,
  });
}

type OpenedView = Omit<ModuleView, 'module' | 'name'>;

/** Returns the page from the newest segment that has it; undefined if that segment records its removal. */
function pageIn(views: OpenedView[], url: string): Omit<FoundPage & { fetchedAt: number }, 'module'> | undefined {
  for (const { segment, hiddenPages } of views.toReversed()) {
    const pageIndex = segment.findPage(url);
    if (pageIndex === undefined || isHidden(hiddenPages, pageIndex)) continue;
    const { snippetCount, fetchedAt } = segment.page(pageIndex);
    if (snippetCount > 0) return { segment, pageIndex, fetchedAt };
  }
  return undefined;
}

/**
 * Returns the neighbours of a page that the module still serves, in the order of the oldest segment that has the page,
 * since later segments hold only changed pages. Removed pages are skipped.
 */
function servedBeside(
  views: OpenedView[],
  url: string,
): { previous: NamedPage | undefined; next: NamedPage | undefined } {
  for (const { segment } of views) {
    const at = segment.findPage(url);
    if (at === undefined) continue;
    const nearest = (step: 1 | -1): NamedPage | undefined => {
      for (let index = at + step; index >= 0 && index < segment.pageCount; index += step) {
        const found = pageIn(views, segment.page(index).url);
        if (found === undefined) continue;
        const { url: nearUrl, title } = found.segment.page(found.pageIndex);
        return { url: nearUrl, title };
      }
      return undefined;
    };
    return { previous: nearest(-1), next: nearest(1) };
  }
  return { previous: undefined, next: undefined };
}

/**
 * Returns, for a module's segments, oldest first, which pages of each are replaced or removed by a later one, as bit
 * sets (bit `i & 7` of byte `i >> 3` for page i); undefined if there are none. Costs one lookup per page of each later
 * segment and earlier segment; later segments are small.
 */
export function hiddenPagesOf(segments: Segment[]): (Uint8Array | undefined)[] {
  const hidden: (Uint8Array | undefined)[] = segments.map(() => undefined);
  for (const [later, laterSegment] of segments.entries()) {
    if (later === 0) continue;
    for (let page = 0; page < laterSegment.pageCount; page += 1) {
      const { url } = laterSegment.page(page);
      for (const [earlier, earlierSegment] of segments.slice(0, later).entries()) {
        const replaced = earlierSegment.findPage(url);
        if (replaced === undefined) continue;
        const bits = (hidden[earlier] ??= new Uint8Array((earlierSegment.pageCount + 7) >> 3));
        bits[replaced >> 3] = (bits[replaced >> 3] ?? 0) | (1 << (replaced & 7));
      }
    }
  }
  return hidden;
}
