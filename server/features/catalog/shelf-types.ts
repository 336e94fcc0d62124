import type { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import type { Segment, SegmentView } from '#server/engine/index.ts';
import type { BlobError } from '#server/platform/blobs/index.ts';

/** A module the actor can read, as of its current registry row. */
export interface ReadableModule {
  rowId: string;
  /** The slug that people and agents use. */
  moduleId: string;
  displayName: string;
  visibility: 'public' | 'private';
  kind: 'site' | 'folder' | 'git' | 'pdf';
  url: string;
  /** True for the documentation that comes with the product. */
  isOwnDocs?: boolean;
  /** Equal for all versions of one library. */
  library: string;
  version: string | null;
  lastUpdatedAt: number | null;
  pageCount: number;
  snippetCount: number;
  tokenCount: number;
  /** True if indexing reached the page limit, so the source may have more pages. */
  isCut?: boolean;
  /** Ids of its segments, oldest first; a page in a later segment replaces the same page in earlier ones. */
  segmentIds: string[];
}

/** An opened segment of a module, ready for the engine (`key` is the segment's id, `name` the module's names). */
export interface ModuleView extends SegmentView {
  module: ReadableModule;
}

/**
 * A module whose segments cannot be searched. The fault is an AppError if they are damaged, lost or of another version,
 * a BlobError if they are temporarily unavailable.
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

/** The segments opened in this process. It enforces rights: a segment that the caller cannot read is never opened. */
export interface Shelf {
  /** Returns the modules the actor can read: private ones of the workspace first, then public, each by id. */
  readableModules(ctx: Context): Promise<ReadableModule[]>;
  /** Opens these modules' segments, or takes them from the cache. Throws if one of them cannot be read. */
  openViews(modules: ReadableModule[]): Promise<ModuleView[]>;
  /**
   * Like `openViews`, but returns unreadable modules with their faults instead of throwing. With a question, modules or
   * pages that cannot answer it may be omitted.
   */
  openSound(
    modules: ReadableModule[],
    question?: string,
  ): Promise<{ views: ModuleView[]; unreadable: UnreadableModule[] }>;
  /** Returns the newest version of the page with this address (no fragment) in a module the actor can read. */
  findPage(ctx: Context, url: string): Promise<FoundPage | undefined>;
  /**
   * Returns the page with this address in each module the actor can read: private ones first, each group newest first.
   */
  findPages(ctx: Context, url: string): Promise<FoundPage[]>;
  /** Returns the served pages before and after a page, in the order in which its module was read. */
  pagesBeside(found: FoundPage): Promise<{ previous: NamedPage | undefined; next: NamedPage | undefined }>;
}
