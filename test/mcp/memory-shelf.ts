import { createHash } from 'node:crypto';
import { openSegment, type Segment, SegmentBuilder, type Snippet } from '#server/engine/index.ts';
import type { ReadableModule, Shelf } from '#server/features/catalog/shelf-types.ts';
import { countTokens } from '#server/ingest/split/index.ts';

export interface PageOfTest {
  url: string;
  title: string;
  fetchedAt?: number;
  sections: {
    anchor?: string;
    headingPath?: string[];
    identifiers?: string[];
    kind?: Snippet['kind'];
    text: string;
    shared?: Snippet['sections'];
    places?: string[];
  }[];
}

export interface ModuleOfTest {
  library?: string;
  version?: string;
  moduleId: string;
  displayName?: string;
  visibility?: ReadableModule['visibility'];
  /** The only user who can read a private module; every caller by default. */
  ownerId?: string;
  pages: PageOfTest[];
}

/** Creates a shelf of real segments held in memory. */
export function memoryShelf(modules: ModuleOfTest[]): Shelf {
  const opened = modules.map((module, index) => ({
    module,
    row: rowOf(module, index),
    segment: segmentOf(module.pages),
  }));
  const readable: Shelf['readableModules'] = async (ctx) => {
    const userId = ctx.actor.kind === 'anonymous' ? undefined : ctx.actor.userId;
    return opened
      .filter(({ module }) => module.ownerId === undefined || module.ownerId === userId)
      .map(({ row }) => row)
      .sort((a, b) => a.visibility.localeCompare(b.visibility));
  };
  const viewsOf: Shelf['openViews'] = async (wanted) =>
    opened
      .filter(({ row }) => wanted.includes(row))
      .map(({ row, segment }) => ({
        module: row,
        segment,
        key: row.rowId,
        name: `${row.moduleId} ${row.displayName}`,
      }));
  const pagesOf: Shelf['findPages'] = async (ctx, url) =>
    (await viewsOf(await readable(ctx))).flatMap(({ module, segment }) => {
      const pageIndex = segment.findPage(url);
      return pageIndex === undefined ? [] : [{ module, segment, pageIndex }];
    });
  return {
    readableModules: readable,
    openViews: viewsOf,
    openSound: async (wanted) => ({ views: await viewsOf(wanted), unreadable: [] }),
    findPage: async (ctx, url) => (await pagesOf(ctx, url))[0],
    findPages: pagesOf,
    async pagesBeside({ segment, pageIndex }) {
      const named = (index: number) => {
        if (index < 0 || index >= segment.pageCount) return undefined;
        const { url, title } = segment.page(index);
        return { url, title };
      };
      return { previous: named(pageIndex - 1), next: named(pageIndex + 1) };
    },
  };
}

export function segmentOf(pages: PageOfTest[]): Segment {
  const builder = new SegmentBuilder();
  for (const page of pages) {
    builder.addPage({
      url: page.url,
      title: page.title,
      fetchedAt: page.fetchedAt ?? Date.UTC(2026, 0, 1),
      contentHash: '',
      snippets: page.sections.map((section, index) => ({
        id: createHash('sha256').update(`${page.url}#${index}`).digest('hex').slice(0, 16),
        anchor: section.anchor ?? '',
        headingPath: section.headingPath ?? [],
        kind: section.kind ?? 'prose',
        identifiers: section.identifiers ?? [],
        text: section.text,
        tokens: countTokens(section.text),
        ...(section.shared === undefined ? {} : { sections: section.shared }),
        ...(section.places && { places: section.places }),
      })),
    });
  }
  const bytes = builder.finish();
  return openSegment({
    byteLength: bytes.byteLength,
    read: (offset, length) => bytes.subarray(offset, offset + length),
  });
}

function rowOf(module: ModuleOfTest, index: number): ReadableModule {
  return {
    rowId: `module-${index}`,
    moduleId: module.moduleId,
    displayName: module.displayName ?? module.moduleId,
    visibility: module.visibility ?? 'public',
    kind: 'site',
    url: module.pages[0]?.url ?? 'https://empty.example/',
    library: module.library ?? module.moduleId,
    version: module.version ?? null,
    lastUpdatedAt: Date.UTC(2026, 0, 1),
    pageCount: module.pages.length,
    snippetCount: module.pages.reduce((sum, page) => sum + page.sections.length, 0),
    tokenCount: 0,
    segmentIds: [`segment-${index}`],
  };
}
