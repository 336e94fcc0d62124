import type { Context } from '#server/context.ts';
import type { ModuleView, ReadableModule, Shelf } from '#server/features/catalog/index.ts';
import { requireRight } from '#server/features/teams/index.ts';
import { cleanLabel } from './clean-text.ts';

export interface ListedPage {
  url: string;
  title: string;
  fetchedAt: number;
}

/**
 * Pages that a module serves, in the order in which it was read: `count` of them after the first `from`. Undefined for a
 * module that the caller may not read, as for one that is not there. A private module hides the public one of its id.
 */
export async function listPages(
  shelf: Shelf,
  ctx: Context,
  { moduleId, from, count }: { moduleId: string; from: number; count: number },
): Promise<{ module: ReadableModule; pages: ListedPage[]; total: number } | undefined> {
  requireRight(ctx, 'docs.search');
  const module = (await shelf.readableModules(ctx)).find((candidate) => candidate.moduleId === moduleId);
  if (module === undefined) return undefined;
  const views = await shelf.openViews([module]);
  const pages: ListedPage[] = [];
  let total = 0;
  for (const view of views) {
    for (let page = 0; page < view.segment.pageCount; page += 1) {
      if (!isServed(view, page)) continue;
      if (total >= from && pages.length < count) pages.push(pageOf(view, page));
      total += 1;
    }
  }
  return { module, pages, total };
}

function pageOf({ segment }: ModuleView, pageIndex: number): ListedPage {
  const { url, title, fetchedAt } = segment.page(pageIndex);
  return { url, title: cleanLabel(title), fetchedAt };
}

/** Returns true if a page of a segment is one that its module serves: no later segment has it too, and it is not gone. */
export function isServed({ segment, hiddenPages }: ModuleView, pageIndex: number): boolean {
  const { pageFirst } = segment.index;
  if (pageFirst[pageIndex + 1] === pageFirst[pageIndex]) return false;
  return hiddenPages === undefined || ((hiddenPages[pageIndex >> 3] ?? 0) & (1 << (pageIndex & 7))) === 0;
}
