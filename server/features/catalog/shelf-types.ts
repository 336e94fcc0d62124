import type { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import type { Segment, SegmentView } from '#server/engine/index.ts';
import type { BlobError } from '#server/platform/blobs/index.ts';

/** A module the actor may read, as its registry row says at this moment. */
export interface ReadableModule {
  rowId: string;
  /** The slug people and agents use. */
  moduleId: string;
  displayName: string;
  visibility: 'public' | 'private';
  kind: 'site' | 'folder' | 'git' | 'pdf';
  url: string;
  /** The documentation that comes with the product. */
  isOwnDocs?: boolean;
  /** The same for all versions of one library. */
  library: string;
  version: string | null;
  lastUpdatedAt: number | null;
  pageCount: number;
  snippetCount: number;
  tokenCount: number;
  /** A site that has as many pages as it may have: it has more. */
  isCut?: boolean;
  /** Ids of its segments, oldest first; a page in a later one replaces the same page in an earlier one. */
  segmentIds: string[];
}

/** One opened segment of a module, ready for the engine (`key` is the segment's id, `name` the module's names). */
export interface ModuleView extends SegmentView {
  module: ReadableModule;
}

/**
 * A module whose segments cannot be searched. The fault says what to do: an AppError of those that are damaged, lost or of another
 * version, a BlobError where they cannot be fetched for now.
 */
export interface UnreadableModule {
  module: ReadableModule;
  fault: AppError | BlobError;
}

export interface FoundPage {
  module: ReadableModule;
  segment: Segment;
  pageIndex: number;
}

export interface NamedPage {
  url: string;
  title: string;
}

/** The opened segments of this process. Rights are decided here: a segment that may not be read is never opened. */
export interface Shelf {
  /** Modules the actor may read: private ones of the workspace first, then public, each by id. */
  readableModules(ctx: Context): Promise<ReadableModule[]>;
  /** Opens (or takes from the cache) the segments of these modules. Throws when one of them cannot be read. */
  openViews(modules: ReadableModule[]): Promise<ModuleView[]>;
  /**
   * The same without those that cannot be read, which are named with their faults. With a question, what cannot answer it
   * may be left out, whole modules or pages of them.
   */
  openSound(
    modules: ReadableModule[],
    question?: string,
  ): Promise<{ views: ModuleView[]; unreadable: UnreadableModule[] }>;
  /** The newest version of the page with this address (no fragment) in a module the actor may read. */
  findPage(ctx: Context, url: string): Promise<FoundPage | undefined>;
  /** The page of this address in each module the actor may read: private ones first, each group newest first. */
  findPages(ctx: Context, url: string): Promise<FoundPage[]>;
  /** The served pages before and after one, in the order in which its module was read. */
  pagesBeside(found: FoundPage): Promise<{ previous: NamedPage | undefined; next: NamedPage | undefined }>;
}
