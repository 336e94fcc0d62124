import { pageRoles } from '../segment/page-role.ts';
import type { SegmentIndex } from '../segment/segment.ts';
import type { Concept } from './concepts.ts';
import type { LengthNorms } from './length-norms.ts';
import type { ScoreBoard } from './score-board.ts';
import { type ConceptScoring, scoreConcept, scoreNamed } from './score-concept.ts';
import { isServed, type SegmentView } from './segment-view.ts';
import type { RankingWeights } from './weights.ts';

/** The input of one search for pages. */
export interface Collecting {
  views: readonly SegmentView[];
  concepts: readonly Concept[];
  boosts: readonly number[];
  norms: LengthNorms;
  weights: RankingWeights;
  pagesMax: number;
  snippetsPerPage: number;
}

/** From this many postings it pays to compute a floor first. */
const longList = 2_000;

/** Returns the factor for all scores of a page: of its module times that of its role. */
export function boostOfPage({ views, boosts, weights }: Collecting, at: number, page: number): number {
  const { pageRoles: roles } = (views[at] as SegmentView).segment.index;
  return (boosts[at] as number) * weights.roles[pageRoles[roles[page] as number] ?? 'guide'];
}

/** Returns the combined score of a page and its best snippet before its boost. */
export function rawScore({ tops, pages }: ScoreBoard, page: number, weights: RankingWeights): number {
  return (tops[page] as number) + weights.page * (pages[page] as number);
}

/** Returns the estimated maximum that a concept adds to a page's score before its boost. */
function boundOf({ snippetWeight, pageWeight }: Concept, { page, reach }: RankingWeights): number {
  return reach * (snippetWeight + page * pageWeight);
}

/** A search with values that are the same for every view. */
export interface PreparedCollecting extends Collecting {
  /** Estimated maximum contribution of each concept. */
  bounds: readonly number[];
  /** The largest role factor. */
  roleMax: number;
}

export function prepare(collecting: Collecting): PreparedCollecting {
  const { concepts, weights } = collecting;
  return {
    ...collecting,
    bounds: concepts.map((concept) => boundOf(concept, weights)),
    roleMax: Math.max(...Object.values(weights.roles)),
  };
}

/** Returns the estimated maximum score of a page in a view. */
export function potentialOf(collecting: PreparedCollecting, at: number): number {
  const { concepts, bounds } = collecting;
  let sum = 0;
  for (let i = 0; i < concepts.length; i += 1) if (hasView(concepts[i] as Concept, at)) sum += bounds[i] as number;
  return sum * largestBoost(collecting, at);
}

function largestBoost({ boosts, roleMax }: PreparedCollecting, at: number): number {
  return (boosts[at] as number) * roleMax;
}

function hasView({ alternatives }: Concept, view: number): boolean {
  for (const { term } of alternatives) if (term.ids[view] !== undefined) return true;
  return false;
}

/** Fixed cost of reading a posting list, in postings. */
const listCost = 10;

/**
 * Returns the indexes of the concepts that a view has, those with the highest possible contribution per posting first.
 */
function orderIn({ concepts, bounds }: PreparedCollecting, at: number): number[] {
  const order: number[] = [];
  const worth = new Map<number, number>();
  for (let i = 0; i < concepts.length; i += 1) {
    const concept = concepts[i] as Concept;
    if (!hasView(concept, at)) continue;
    order.push(i);
    worth.set(i, (bounds[i] as number) / (postingsOf(concept, at) + listCost));
  }
  return order.sort((a, b) => (worth.get(b) as number) - (worth.get(a) as number) || a - b);
}

/**
 * Scores one view on its board. Concepts with the highest possible contribution per posting come first, so that the
 * lists read in full are short. Once the remaining concepts cannot lift an unscored page to the floor, only pages with
 * a score are considered (MaxScore); with none left, scoring stops. The floor comes from earlier views and is raised
 * once by this view's scores before a long list. Returns the pages that can still be among the best, or undefined if
 * all touched pages can.
 */
export function scoreView(
  collecting: PreparedCollecting,
  at: number,
  board: ScoreBoard,
  bestFloor: number,
): Uint32Array | undefined {
  const { views, concepts, bounds, norms, weights } = collecting;
  const { segment, onlyPages } = views[at] as SegmentView;
  const { index } = segment;
  const boost = largestBoost(collecting, at);
  let floor = bestFloor / boost;
  let rest = 0;
  const order = orderIn(collecting, at);
  for (const i of order) {
    rest += bounds[i] as number;
    const { alternatives, namedWeight, term } = concepts[i] as Concept;
    if (namedWeight <= 0) continue;
    const id = alternatives.find((one) => one.term.term === term)?.term.ids[at];
    if (id !== undefined) scoreNamed(index, term, index.postings(id), namedWeight, board);
  }
  let only: Uint32Array | undefined;
  let isRaised = false;
  for (const i of order) {
    const concept = concepts[i] as Concept;
    if (!isRaised && board.touchedCount >= collecting.pagesMax && postingsOf(concept, at) >= longList) {
      isRaised = true;
      floor = Math.max(floor, ownFloor(collecting, at, board) / boost);
    }
    if (rest < floor) only = pagesAbove(board, weights, floor - rest, only);
    if (only?.length === 0) return only;
    scoreConcept(index, scoringOf(concept, at, index, weights), norms, board, only ?? onlyPages);
    rest -= bounds[i] as number;
  }
  return only;
}

/**
 * Returns the lowest score among the best `pagesMax` pages scored so far in this view; needs at least as many touched
 * pages.
 */
function ownFloor(collecting: Collecting, at: number, board: ScoreBoard): number {
  const { views, weights, pagesMax } = collecting;
  const view = views[at] as SegmentView;
  const best = bestScores(pagesMax);
  let least = 0;
  for (let i = 0; i < board.touchedCount; i += 1) {
    const page = board.touched[i] as number;
    const score = rawScore(board, page, weights) * boostOfPage(collecting, at, page);
    if (score <= least || !isServed(view, page)) continue;
    let place = 0;
    while (place + 1 < pagesMax && (best[place + 1] as number) < score) {
      best[place] = best[place + 1] as number;
      place += 1;
    }
    best[place] = score;
    least = best[0] as number;
  }
  return least;
}

let kept = new Float64Array(0);

/** Returns a zeroed array, kept in ascending order by its user. */
function bestScores(count: number): Float64Array {
  if (kept.length < count) kept = new Float64Array(count);
  return kept.fill(0);
}

function postingsOf({ alternatives }: Concept, view: number): number {
  let sum = 0;
  for (const { term } of alternatives) sum += term.snippets[view] as number;
  return sum;
}

function scoringOf(concept: Concept, view: number, index: SegmentIndex, weights: RankingWeights): ConceptScoring {
  const alternatives = [];
  for (const { term, weight } of concept.alternatives) {
    const id = term.ids[view];
    if (id !== undefined) alternatives.push({ postings: index.postings(id), weight });
  }
  return {
    alternatives,
    snippetWeight: concept.snippetWeight,
    pageWeight: concept.pageWeight,
    snippetK1: weights.snippetK1,
    pageK1: weights.pageK1,
    isSelfTerm: index.selfTerms.includes(concept.term),
  };
}

let left = new Uint32Array(0);

/** Returns the pages with a score of at least `least`, ascending, among `before` or else all touched pages. */
function pagesAbove(
  board: ScoreBoard,
  weights: RankingWeights,
  least: number,
  before: Uint32Array | undefined,
): Uint32Array {
  const from = before ?? board.touched.subarray(0, board.touchedCount);
  if (left.length < from.length) left = new Uint32Array(from.length);
  // Filtering `before` in place is safe: each page moves to its own or an earlier position.
  const above = before === undefined ? left : before;
  let count = 0;
  for (let at = 0; at < from.length; at += 1) {
    const page = from[at] as number;
    if (rawScore(board, page, weights) < least) continue;
    above[count] = page;
    count += 1;
  }
  const pages = above.subarray(0, count);
  return before === undefined ? pages.sort() : pages;
}
