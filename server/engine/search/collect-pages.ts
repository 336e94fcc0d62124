import { boardFor, clearBoard, type ScoreBoard } from './score-board.ts';
import { boostOfPage, type Collecting, potentialOf, prepare, rawScore, scoreView } from './score-view.ts';
import { isServed, type SegmentView } from './segment-view.ts';

/** A page that may hold the answer, with its best snippets. */
export interface PageCandidate {
  view: number;
  page: number;
  /** Score of the page as a whole. */
  pageScore: number;
  /** Factor for module and role, applied to all scores of the page. */
  boost: number;
  /** Combined score of the best snippet and the page; candidates are ordered by it. */
  score: number;
  /** Best first; at least one. */
  snippets: { snippet: number; score: number }[];
}

/** The best pages found so far, and the score a page must reach to be among them. */
interface Best {
  pages: PageCandidate[];
  floor: number;
}

/**
 * Returns the best pages over all views, each with its best snippets; equal scores keep the order of views and pages.
 * Exact at a reach of 1. Views are scored from the highest potential score to the lowest, until none can still
 * contribute a page.
 */
export function collectPages(asked: Collecting): PageCandidate[] {
  const collecting = prepare(asked);
  const { views, pagesMax } = collecting;
  const best: Best = { pages: [], floor: 0 };
  const potentials = views.map((_, at) => potentialOf(collecting, at));
  const order = potentials
    .map((_, at) => at)
    .sort((a, b) => (potentials[b] as number) - (potentials[a] as number) || a - b);
  for (const at of order) {
    // Views are sorted by potential, so no later one can reach the floor.
    if ((potentials[at] as number) < best.floor) break;
    const view = views[at] as SegmentView;
    const board = boardFor(view.segment);
    try {
      const only = scoreView(collecting, at, board, best.floor);
      gather(collecting, at, board, only ?? board.touched.subarray(0, board.touchedCount), best);
    } finally {
      clearBoard(board, view.segment.index.pageFirst);
    }
  }
  return best.pages.sort(byScore).slice(0, pagesMax);
}

function byScore(a: PageCandidate, b: PageCandidate): number {
  return b.score - a.score || a.view - b.view || a.page - b.page;
}

function gather(collecting: Collecting, at: number, board: ScoreBoard, pages: Uint32Array, best: Best): void {
  const { views, weights, pagesMax, snippetsPerPage } = collecting;
  const view = views[at] as SegmentView;
  const { pageFirst } = view.segment.index;
  for (const page of pages) {
    const pageScore = board.pages[page] as number;
    const boost = boostOfPage(collecting, at, page);
    const score = rawScore(board, page, weights) * boost;
    if (score < best.floor || !isServed(view, page)) continue;
    best.pages.push({ view: at, page, pageScore, boost, score, snippets: [] });
    if (best.pages.length >= pagesMax * 3) trim(best, pagesMax);
  }
  trim(best, pagesMax);
  // Done last, as most pages that were among the best at some point have been displaced.
  for (const found of best.pages) {
    if (found.view === at) found.snippets = bestSnippets(board, pageFirst, found.page, snippetsPerPage);
  }
}

function trim(best: Best, pagesMax: number): void {
  if (best.pages.length < pagesMax) return;
  best.pages.sort(byScore).splice(pagesMax);
  best.floor = best.pages.at(-1)?.score ?? 0;
}

function bestSnippets({ snippets }: ScoreBoard, pageFirst: Uint32Array, page: number, count: number) {
  const until = pageFirst[page + 1] as number;
  const found: { snippet: number; score: number }[] = [];
  for (let snippet = pageFirst[page] as number; snippet < until; snippet += 1) {
    const score = snippets[snippet] as number;
    const last = found.at(-1);
    if (found.length === count && last !== undefined && score <= last.score) continue;
    let place = found.length;
    while (place > 0 && (found[place - 1]?.score ?? 0) < score) place -= 1;
    found.splice(place, 0, { snippet, score });
    if (found.length > count) found.pop();
  }
  return found;
}
