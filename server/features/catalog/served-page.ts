import type { FoundPage, ModuleView, NamedPage } from './shelf-types.ts';
import { isHidden } from './superseded-pages.ts';

export type OpenedView = Omit<ModuleView, 'module' | 'name'>;

/** The page in the newest of a module's segments that has it; none when the newest says that it is gone. */
export function pageIn(
  views: OpenedView[],
  url: string,
): Omit<FoundPage & { fetchedAt: number }, 'module'> | undefined {
  for (const { segment, hiddenPages } of views.toReversed()) {
    const pageIndex = segment.findPage(url);
    if (pageIndex === undefined || isHidden(hiddenPages, pageIndex)) continue;
    const { snippetCount, fetchedAt } = segment.page(pageIndex);
    if (snippetCount > 0) return { segment, pageIndex, fetchedAt };
  }
  return undefined;
}

/**
 * The pages beside one that the module still serves, in the order of the oldest of its segments that has the page: a
 * later one holds only what has changed. Pages that are gone are passed over.
 */
export function servedBeside(
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
