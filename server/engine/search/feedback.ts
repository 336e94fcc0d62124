import { isFillerTerm, isStopTerm } from '../analysis/stop-words.ts';
import { snippetFieldCount } from '../segment/fields.ts';
import { lengthOfCode } from '../segment/length-code.ts';
import type { SegmentIndex } from '../segment/segment.ts';
import type { Concept } from './concepts.ts';
import { byScore, type RankedSnippet } from './rerank.ts';
import type { SegmentView } from './segment-view.ts';
import { fieldAfter, proseTermCounts } from './stored-terms.ts';
import { type FoundTerm, TermLookup } from './term-lookup.ts';
import type { RankingWeights } from './weights.ts';

/** Pages whose best passages say what the words around an answer are. */
const modelPages = 10;
const modelTerms = 30;
/** Terms looked up in the views at hand; the rest falls by its rarity at home. */
const modelCandidates = 36;
/** Times as many are read as text: some are names, stop words or asked for. */
const modelSpare = 5;
/** How fast lower passages count less: share of the best score to this power. */
const modelSharpness = 4;
const modelSaturation = 1.5;
/** Terms of fewer snippets are names that only this page has; a small segment has few snippets of anything. */
const termSnippetsMin = 5;
const snippetsPerTermSnippet = 500;
/** Snippets scored again, in the order of the first ranking; those below cannot reach the first ten pages. */
const rescoredSnippets = 60;
const filterSize = 4096;

const codeField = snippetFieldCount - 1;

interface SeenTerm {
  view: number;
  id: number;
  strength: number;
  rarity: number;
}

interface ModelTerm {
  term: FoundTerm;
  weight: number;
}

/**
 * Raises passages that read like the best ones of the first ranking (pseudo-relevance feedback): words that stand in
 * several of them and are rare elsewhere count as a weak second query. Finds pages that answer in other words than the
 * question's.
 */
export function applyFeedback(
  views: readonly SegmentView[],
  ranked: RankedSnippet[],
  concepts: readonly Concept[],
  weights: RankingWeights,
): RankedSnippet[] {
  if (weights.feedback === 0 || ranked.length === 0) return ranked;
  const rescored = ranked.slice(0, rescoredSnippets);
  const places = [...new Set(rescored.map(({ view }) => view))].sort((a, b) => a - b);
  const model = buildModel(views, places, bestOfPages(ranked, modelPages), concepts);
  if (model.length === 0) return ranked;
  const slots = new Map(places.map((at) => [at, slotsIn(model, at)]));
  for (const snippet of rescored) {
    const { index } = (views[snippet.view] as SegmentView).segment;
    snippet.parts.feedback = likeness(index, snippet.snippet, model, slots.get(snippet.view) as TermSlots, weights);
    snippet.score += weights.feedback * snippet.parts.feedback * snippet.parts.boost;
  }
  return ranked.sort(byScore);
}

function pageKey({ view, page }: RankedSnippet): string {
  return `${view} ${page}`;
}

function bestOfPages(ranked: readonly RankedSnippet[], count: number): RankedSnippet[] {
  const seen = new Map<string, RankedSnippet>();
  for (const snippet of ranked) {
    if (seen.size === count) break;
    const key = pageKey(snippet);
    if (!seen.has(key)) seen.set(key, snippet);
  }
  return [...seen.values()];
}

function buildModel(
  views: readonly SegmentView[],
  places: readonly number[],
  best: readonly RankedSnippet[],
  concepts: readonly Concept[],
): ModelTerm[] {
  const asked = new Set(
    concepts.flatMap(({ term, alternatives }) => [
      term,
      ...alternatives.filter(({ weight }) => weight === 1).map((a) => a.term.term),
    ]),
  );
  const { seen, total } = wordsOf(views, best);
  const strengths = new Map<string, { strength: number; rarity: number }>();
  for (const { view, id, strength, rarity } of likeliest(seen, modelCandidates * modelSpare)) {
    const term = (views[view] as SegmentView).segment.index.termText(id);
    if (asked.has(term) || !isModelWord(term)) continue;
    const known = strengths.get(term);
    if (known === undefined) strengths.set(term, { strength, rarity });
    else known.strength += strength;
  }
  const lookup = new TermLookup(views, places);
  const promising = [...strengths]
    .map(([term, { strength, rarity }]) => ({ term, strength: strength / total, likely: strength * rarity }))
    .sort((a, b) => b.likely - a.likely || (a.term < b.term ? -1 : 1))
    .slice(0, modelCandidates)
    .map(({ term, strength }) => {
      const found = lookup.find(term);
      return { term: found, weight: strength * found.snippetInformation };
    })
    .sort((a, b) => b.weight - a.weight || (a.term.term < b.term.term ? -1 : 1))
    .slice(0, modelTerms);
  const strongest = promising[0]?.weight ?? 1;
  return promising.map(({ term, weight }) => ({ term, weight: (weight / strongest) * term.snippetInformation }));
}

/**
 * The words of the best passages, each once for every view, by number: most are never needed as text. `total` is the strength a word
 * would have that fills all of them.
 */
function wordsOf(views: readonly SegmentView[], best: readonly RankedSnippet[]): { seen: SeenTerm[]; total: number } {
  const top = best[0]?.score ?? 1;
  const known = new Map<number, Map<number, SeenTerm>>();
  const seen: SeenTerm[] = [];
  let total = 0;
  for (const { view, snippet, score } of best) {
    const { segment } = views[view] as SegmentView;
    const share = (score / top) ** modelSharpness;
    const frequencyMin = Math.min(termSnippetsMin, 1 + segment.snippetCount / snippetsPerTermSnippet);
    total += share;
    const here = known.get(view) ?? new Map<number, SeenTerm>();
    known.set(view, here);
    const { terms, counts } = proseTermCounts(segment.index.sequence(snippet));
    for (let at = 0; at < terms.length; at += 1) {
      const id = terms[at] as number;
      const frequency = segment.index.snippetFrequency(id);
      if (frequency < frequencyMin) continue;
      const count = counts[at] as number;
      const strength = (share * count) / (count + modelSaturation);
      const before = here.get(id);
      if (before !== undefined) {
        before.strength += strength;
        continue;
      }
      const term = { view, id, strength, rarity: Math.log((segment.snippetCount + 1) / frequency) };
      here.set(id, term);
      seen.push(term);
    }
  }
  return { seen, total };
}

/** The first `count` of the terms by strength and rarity, those that are equal in their order. */
function likeliest(seen: readonly SeenTerm[], count: number): SeenTerm[] {
  const likely = new Float64Array(seen.length);
  for (let at = 0; at < seen.length; at += 1) likely[at] = likelihoodOf(seen[at] as SeenTerm);
  // Numbers alone are sorted much faster than terms are compared: most of these are left out.
  const least = seen.length <= count ? 0 : (likely.toSorted()[seen.length - count] as number);
  return seen
    .filter((_, at) => (likely[at] as number) >= least)
    .sort((a, b) => likelihoodOf(b) - likelihoodOf(a))
    .slice(0, count);
}

function likelihoodOf({ strength, rarity }: SeenTerm): number {
  return strength * rarity;
}

/** Plain words: names and numbers of one page say little about another. */
function isModelWord(term: string): boolean {
  return term.length > 2 && !/\d/.test(term) && !isStopTerm(term) && !isFillerTerm(term);
}

interface TermSlots {
  slots: Map<number, number>;
  /** Zero where no term of the model has these low bits. */
  filter: Uint8Array;
}

function slotsIn(model: readonly ModelTerm[], view: number): TermSlots {
  const slots = new Map<number, number>();
  const filter = new Uint8Array(filterSize);
  for (const [slot, { term }] of model.entries()) {
    const id = term.ids[view];
    if (id === undefined) continue;
    slots.set(id, slot);
    filter[id & (filterSize - 1)] = 1;
  }
  return { slots, filter };
}

/** By place in the model, of one passage after the other: an array of its own for each would be memory outside of the heap. */
const termCounts = new Float64Array(modelTerms);

function likeness(
  index: SegmentIndex,
  snippet: number,
  model: readonly ModelTerm[],
  { slots, filter }: TermSlots,
  weights: RankingWeights,
): number {
  const counts = termCounts.fill(0);
  const codeWeight = weights.snippetFields.code.weight;
  const bytes = index.sequence(snippet);
  // Written out, as this runs for every byte of sixty passages: a visitor would be called for each term.
  let step = 1;
  let field = 0;
  for (let at = 0; at < bytes.length; ) {
    let value = bytes[at++] as number;
    if (value > 127) {
      let byte = bytes[at++] as number;
      value = (value & 127) | ((byte & 127) << 7);
      for (let shift = 14; byte > 127; shift += 7) {
        byte = bytes[at++] as number;
        value |= (byte & 127) << shift;
      }
    }
    if (value < 2) {
      field = fieldAfter(field, value);
      step = field === codeField ? codeWeight : 1;
      continue;
    }
    const term = (value - 2) >>> 1;
    if (filter[term & (filterSize - 1)] === 0) continue;
    const slot = slots.get(term);
    if (slot !== undefined) counts[slot] = (counts[slot] as number) + step;
  }
  let length = 0;
  for (let field = 0; field < snippetFieldCount; field += 1) {
    length += lengthOfCode[index.snippetLengths[snippet * snippetFieldCount + field] as number] as number;
  }
  // Half of the length counts, against a passage of usual size.
  const norm = 0.5 + (0.5 * length) / 250;
  let sum = 0;
  for (let slot = 0; slot < model.length; slot += 1) {
    const { weight } = model[slot] as ModelTerm;
    const frequency = (counts[slot] as number) / norm;
    sum += (weight * frequency) / (weights.snippetK1 + frequency);
  }
  return sum;
}
