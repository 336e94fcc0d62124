import type { ModulePage, ModulePages } from '#contract/documents.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import type { ModuleView, Shelf } from '#server/features/catalog/index.ts';
import { requireRight } from '#server/features/teams/index.ts';
import { cleanLabel } from './clean-text.ts';
import { isServed } from './list-pages.ts';

/** Pages that are read on without letting others at the processor: some milliseconds. */
const pagesAtOnce = 250;

export interface ListModulePagesInput {
  moduleId: string;
  visibility?: 'public' | 'private' | undefined;
  /** All of them have to stand in title or address. */
  words: string;
  from: number;
  limit: number;
}

/**
 * A part of the pages that a module serves, in the order in which they were read, with what each brings. Costs no credits;
 * the passages of the part alone are read. Throws `module-not-found` for what the actor may not read, whether or not it is
 * there.
 */
export async function listModulePages(shelf: Shelf, ctx: Context, input: ListModulePagesInput): Promise<ModulePages> {
  requireRight(ctx, 'docs.search');
  const { moduleId, visibility, from, limit } = input;
  const modules = await shelf.readableModules(ctx);
  const module = modules.find(
    (one) => one.moduleId === moduleId && (visibility === undefined || one.visibility === visibility),
  );
  if (module === undefined) throw new AppError('module-not-found', { values: { module: moduleId } });
  const words = input.words.toLowerCase().split(/\s+/).filter(Boolean);
  const pages: ModulePage[] = [];
  let total = 0;
  let looked = 0;
  for (const view of await shelf.openViews([module])) {
    for (let page = 0; page < view.segment.pageCount; page += 1) {
      looked += 1;
      if (looked % pagesAtOnce === 0) await new Promise(setImmediate);
      if (!isServed(view, page) || !hasWords(view, page, words)) continue;
      if (total >= from && pages.length < limit) pages.push(pageOf(view, page));
      total += 1;
    }
  }
  return { pages, total, visibility: module.visibility };
}

function hasWords({ segment }: ModuleView, pageIndex: number, words: string[]): boolean {
  if (words.length === 0) return true;
  const { url, title } = segment.page(pageIndex);
  const text = `${title}\n${url}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

function pageOf({ segment }: ModuleView, pageIndex: number): ModulePage {
  const { url, title, fetchedAt, snippetCount, revision } = segment.page(pageIndex);
  const tokens = segment.pageSnippets(pageIndex).reduce((sum, snippet) => sum + snippet.tokens, 0);
  return { url, title: cleanLabel(title), snippets: snippetCount, tokens, fetchedAt, revision: revision ?? null };
}
