import type { Segment, Snippet } from '#server/engine/index.ts';
import { pathsOfFolder } from '#server/ingest/folder/index.ts';
import { type FolderNames, folderNames, folderOfAll, isFileAddress } from './folder-address.ts';
import { folderSourceOf, type Source } from './source.ts';

/** What tells which files are pages of a module. */
export interface FolderModule {
  slug: string;
  /** Undefined where it is not known any more. */
  path: string | undefined;
}

/** Undefined for what is made from something else. */
export function folderModuleOf(row: { slug: string; kind: Source['kind']; source: string }): FolderModule | undefined {
  const source = folderSourceOf(row);
  return source && { slug: row.slug, path: source.url };
}

/** Asks the disk where links in the path of the folder lead. */
export async function namesOfFolder({ slug, path }: FolderModule): Promise<FolderNames> {
  return folderNames(slug, path === undefined ? [] : await pathsOfFolder(path));
}

/** Returns true if a segment of a folder was built before its pages were named by their module: it is whole of one kind. */
export function hasFileAddresses(segment: Segment): boolean {
  return segment.pageCount > 0 && isFileAddress(segment.page(0).url);
}

/**
 * Segments of a folder as if they had been built today: their pages are found, and called, by the addresses of now, and so
 * are the files that their texts lead to. The next refresh builds them so.
 */
export async function withPageAddresses(
  segments: readonly Segment[],
  module: FolderModule,
): Promise<{ segments: Segment[]; names: FolderNames }> {
  const names = await namesOfPages(segments.filter(hasFileAddresses), module);
  return {
    segments: segments.map((segment) => (hasFileAddresses(segment) ? renamed(segment, names) : segment)),
    names,
  };
}

async function namesOfPages(segments: readonly Segment[], module: FolderModule): Promise<FolderNames> {
  const names = await namesOfFolder(module);
  const addresses = segments.flatMap((segment) => Array.from(segment.pages(), ({ url }) => url));
  if (addresses.every((address) => names.pageOf(address) !== undefined)) return names;
  // Its path led elsewhere when it was read.
  return folderNames(module.slug, [folderOfAll(addresses)]);
}

function renamed(segment: Segment, names: FolderNames): Segment {
  const toldPage = (index: number) => {
    const page = segment.page(index);
    return { ...page, url: names.told(page.url) };
  };
  const toldSnippet = (snippet: Snippet): Snippet => ({ ...snippet, text: names.toldText(snippet.text) });
  return {
    ...segment,
    findPage(url) {
      for (const file of names.filesOf(url)) {
        const page = segment.findPage(file);
        if (page !== undefined) return page;
      }
      return undefined;
    },
    page: toldPage,
    *pages() {
      for (let index = 0; index < segment.pageCount; index += 1) yield toldPage(index);
    },
    snippet: (index) => toldSnippet(segment.snippet(index)),
    pageSnippets: (index) => segment.pageSnippets(index).map(toldSnippet),
    // Another thread would show the file as it is.
    shared: undefined,
  };
}
