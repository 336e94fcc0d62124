import type { ModulePage, ModulePages } from '#contract/documents.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { isServed } from '#server/engine/index.ts';
import type { ModuleView, ReadableModule, Shelf } from '#server/features/catalog/index.ts';
import { requireRight } from '#server/features/teams/index.ts';
import { cleanLabel } from './clean-text.ts';
import { passagesOf } from './page-to-read.ts';

/** Pages read before yielding to the event loop: a few milliseconds of work. */
const pagesAtOnce = 250;

export interface ListModulePagesInput {
  moduleId: string;
  visibility?: 'public' | 'private' | undefined;
  /** Words that must all occur in the title or address. */
  words: string;
  from: number;
  limit: number;
}

/**
 * Returns some of a module's indexed pages, in the order in which they were read, with the content each contributes.
 * Costs no credits; only the passages of these pages are read. Throws `module-not-found` for modules that the actor
 * cannot read, whether or not they exist.
 */
export async function listModulePages(shelf: Shelf, ctx: Context, input: ListModulePagesInput): Promise<ModulePages> {
  requireRight(ctx, 'docs.search');
  const { moduleId, visibility } = input;
  const modules = await shelf.readableModules(ctx);
  const module = modules.find(
    (one) => one.moduleId === moduleId && (visibility === undefined || one.visibility === visibility),
  );
  if (module === undefined) throw new AppError('module-not-found', { values: { module: moduleId } });
  return { ...(await partOf(shelf, module, input, withPassages)), visibility: module.visibility };
}

export interface ListedPage {
  url: string;
  title: string;
  fetchedAt: number;
}

/**
 * Returns some of a module's pages for agents, without examining passages. Undefined for a module that the caller
 * cannot read or that does not exist. A private module hides the public module with its id.
 */
export async function listPages(
  shelf: Shelf,
  ctx: Context,
  { moduleId, from, count }: { moduleId: string; from: number; count: number },
): Promise<{ module: ReadableModule; pages: ListedPage[]; total: number } | undefined> {
  requireRight(ctx, 'docs.search');
  const module = (await shelf.readableModules(ctx)).find((candidate) => candidate.moduleId === moduleId);
  if (module === undefined) return undefined;
  return { module, ...(await partOf(shelf, module, { words: '', from, limit: count }, listed)) };
}

async function partOf<Page>(
  shelf: Shelf,
  module: ReadableModule,
  input: Pick<ListModulePagesInput, 'words' | 'from' | 'limit'>,
  pageOf: (view: ModuleView, pageIndex: number) => Page | Promise<Page>,
): Promise<{ pages: Page[]; total: number }> {
  const { from, limit } = input;
  const words = input.words.toLowerCase().split(/\s+/).filter(Boolean);
  const pages: Page[] = [];
  let total = 0;
  let looked = 0;
  for (const view of await shelf.openViews([module])) {
    for (let page = 0; page < view.segment.pageCount; page += 1) {
      looked += 1;
      if (looked % pagesAtOnce === 0) await new Promise(setImmediate);
      if (!isServed(view, page) || !hasWords(view, page, words)) continue;
      if (total >= from && pages.length < limit) {
        await new Promise(setImmediate);
        pages.push(await pageOf(view, page));
      }
      total += 1;
    }
  }
  return { pages, total };
}

function hasWords({ segment }: ModuleView, pageIndex: number, words: string[]): boolean {
  if (words.length === 0) return true;
  const { url, title } = segment.page(pageIndex);
  const text = `${title}\n${url}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

function listed({ segment }: ModuleView, pageIndex: number): ListedPage {
  const { url, title, fetchedAt } = segment.page(pageIndex);
  return { url, title: cleanLabel(title), fetchedAt };
}

async function withPassages(view: ModuleView, pageIndex: number): Promise<ModulePage> {
  const { snippetCount, revision } = view.segment.page(pageIndex);
  const tokens = (await passagesOf(view.segment, pageIndex)).reduce((sum, snippet) => sum + snippet.tokens, 0);
  return { ...listed(view, pageIndex), snippets: snippetCount, tokens, revision: revision ?? null };
}
