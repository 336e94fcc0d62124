import * as limits from '#contract/limits.ts';
import type { Showcase } from '#contract/try-search.ts';
import type { Context } from '#server/context.ts';
import type { ReadableModule, Shelf } from '#server/features/catalog/index.ts';
import { cleanLabel } from './clean-text.ts';
import { withoutOwnDocs } from './find-passages.ts';
import { asNobody, publicPartOf, searchPublicly } from './try-public-search.ts';

/** Pages of a module that are looked at for a title to suggest. */
const pagesLookedAt = 400;
const topicCharacters = { min: 6, max: 40 };
const libraryCharactersMax = 16;
/** Titles of pages that tell how something is done. */
const ofTask =
  /\b(how|using|use|writing|working|configur\w+|creating|managing|getting started|running|testing|handling|building|install\w+|tutorial|guide|howto)\b/i;
/** Titles of pages that list other pages, or what has changed. */
const ofLists = /\b(contents|index|changelog|changes|release|releases|news|what.s new|glossary|search|all items)\b/i;
const aboveAllPages = 1_000_000;
/** What newcomers want to know of the product itself: its pages have titles of a manual. */
const ownQuestions = [
  'How do I index a private site?',
  'Index a GitHub repository',
  'What does a search cost?',
  'Pin documentation to my lockfile',
  'Run behind nginx with TLS',
];

/**
 * Tells what visitors may search: the public modules, queries made of titles of their pages, and the answer to the first
 * query. Made anew when the public index has changed, and kept until then: it costs a visitor nothing.
 */
export function createShowcase(shelf: Shelf): (ctx: Context) => Promise<Showcase> {
  const publicShelf = publicPartOf(shelf);
  let kept: { state: string; showcase: Promise<Showcase> } | undefined;
  return async (ctx) => {
    const modules = await publicShelf.readableModules(asNobody(ctx));
    const state = JSON.stringify(modules.map(({ rowId, displayName, segmentIds }) => [rowId, displayName, segmentIds]));
    if (kept?.state !== state) {
      const made = { state, showcase: makeShowcase(publicShelf, asNobody(ctx), modules) };
      kept = made;
      made.showcase.catch(() => {
        // The next visitor has it made again.
        if (kept === made) kept = undefined;
      });
    }
    return kept.showcase;
  };
}

async function makeShowcase(shelf: Shelf, ctx: Context, modules: ReadableModule[]): Promise<Showcase> {
  const largest = modules.toSorted((a, b) => b.snippetCount - a.snippetCount);
  const suggestions = await suggestQueries(shelf, withoutOwnDocs(largest, ''));
  const [first] = suggestions;
  // The first search opens what it reads; how long it took would be no measure of the next one.
  if (first !== undefined) await searchPublicly(shelf, ctx, first);
  return {
    modules: largest.slice(0, limits.showcaseModulesMax).map(({ moduleId, displayName, pageCount, snippetCount }) => ({
      ...{ moduleId, displayName: cleanLabel(displayName, 60), pageCount, snippetCount },
    })),
    moduleCount: modules.length,
    pageCount: modules.reduce((sum, { pageCount }) => sum + pageCount, 0),
    snippetCount: modules.reduce((sum, { snippetCount }) => sum + snippetCount, 0),
    suggestions,
    example: first === undefined ? null : await searchPublicly(shelf, ctx, first),
  };
}

/** A title from each of the largest modules in turn, until there are enough. */
async function suggestQueries(shelf: Shelf, modules: ReadableModule[]): Promise<string[]> {
  const lists = await Promise.all(
    modules.slice(0, limits.trySearchSuggestionsMax).map((module) => titlesOf(shelf, module)),
  );
  const suggestions = new Set<string>();
  for (let round = 0; round < limits.trySearchSuggestionsMax; round += 1) {
    for (const titles of lists) {
      const title = titles[round];
      if (title !== undefined && suggestions.size < limits.trySearchSuggestionsMax) suggestions.add(title);
    }
  }
  return [...suggestions];
}

/** Titles that say what a page is about: those of a task first, then those of the longest pages. */
async function titlesOf(shelf: Shelf, module: ReadableModule): Promise<string[]> {
  if (module.isOwnDocs === true) return ownQuestions;
  const { views } = await shelf.openSound([module]);
  const titles = new Map<string, number>();
  for (const { segment } of views) {
    for (let index = 0; index < Math.min(segment.pageCount, pagesLookedAt); index += 1) {
      const { title, snippetCount } = segment.page(index);
      const topic = topicOf(title);
      if (topic !== undefined && snippetCount > 0) titles.set(topic, Math.max(titles.get(topic) ?? 0, snippetCount));
    }
  }
  const rankOf = ([title, snippets]: [string, number]) => snippets + (ofTask.test(title) ? aboveAllPages : 0);
  const best = [...titles].sort((a, b) => rankOf(b) - rankOf(a)).map(([title]) => title);
  return best
    .slice(0, limits.trySearchSuggestionsMax)
    .map((title) => withLibrary(title, cleanLabel(module.displayName)));
}

/** The part of a title before the name of the site, where it is a phrase of a length to read at a glance. */
function topicOf(title: string): string | undefined {
  const topic = cleanLabel(title, 200)
    .split(/ [—–|·»-] /)[0]
    ?.replace(/^[\d.]+\s+/, '')
    .trim();
  if (topic === undefined || topic.length < topicCharacters.min || topic.length > topicCharacters.max) return undefined;
  return /\p{L}.*\s.*\p{L}/u.test(topic) && !ofLists.test(topic) ? topic : undefined;
}

/** The name of the library goes with the topic, as an agent would put it, where it is short and not in it already. */
function withLibrary(topic: string, library: string): string {
  const isSaid = topic.toLowerCase().includes(library.toLowerCase());
  return isSaid || library.length > libraryCharactersMax ? topic : `${topic} in ${library}`;
}
