import * as limits from '#contract/limits.ts';
import type { Showcase } from '#contract/try-search.ts';
import type { Context } from '#server/context.ts';
import type { ReadableModule, Shelf } from '#server/features/catalog/index.ts';
import { cleanLabel } from './clean-text.ts';
import { withoutOwnDocs } from './find-passages.ts';
import { asNobody, publicPartOf, searchPublicly } from './try-public-search.ts';

/** Pages of a module examined for suggested titles. */
const pagesLookedAt = 400;
const topicCharacters = { min: 6, max: 40 };
const libraryCharactersMax = 16;
/** Matches titles of how-to pages. */
const ofTask =
  /\b(how|using|use|writing|working|configur\w+|creating|managing|getting started|running|testing|handling|building|install\w+|tutorial|guide|howto)\b/i;
/** Matches titles of pages that list other pages or changes. */
const ofLists = /\b(contents|index|changelog|changes|release|releases|news|what.s new|glossary|search|all items)\b/i;
const aboveAllPages = 1_000_000;
/** Questions about the product itself; the titles of its own pages make poor suggestions. */
const ownQuestions = [
  'How do I index a private site?',
  'Index a GitHub repository',
  'What does a search cost?',
  'Pin documentation to my lockfile',
  'Run behind nginx with TLS',
];

/**
 * Returns what visitors can search: the public modules, suggested queries made from page titles, and the answer to the
 * first query. Cached until the public index changes; free for visitors.
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
        // On failure, the next visitor triggers another attempt.
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
  // Warm up: the first search opens files, so its duration is not representative.
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

/** Returns suggestions, one title from each of the largest modules in turn, until there are enough. */
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

/** Returns titles that describe a page's topic: how-to titles first, then those of the longest pages. */
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

/** Returns the part of a title before the site's name, if it is short enough to read at a glance. */
function topicOf(title: string): string | undefined {
  const topic = cleanLabel(title, 200)
    .split(/ [—–|·»-] /)[0]
    ?.replace(/^[\d.]+\s+/, '')
    .trim();
  if (topic === undefined || topic.length < topicCharacters.min || topic.length > topicCharacters.max) return undefined;
  return /\p{L}.*\s.*\p{L}/u.test(topic) && !ofLists.test(topic) ? topic : undefined;
}

/** Adds the library's name, as an agent would, if it is short and not in the topic already. */
function withLibrary(topic: string, library: string): string {
  const isSaid = topic.toLowerCase().includes(library.toLowerCase());
  return isSaid || library.length > libraryCharactersMax ? topic : `${topic} in ${library}`;
}
