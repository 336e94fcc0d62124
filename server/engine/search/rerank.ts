import { pageRoles } from '../segment/page-role.ts';
import type { PageCandidate } from './collect-pages.ts';
import type { Concept } from './concepts.ts';
import { findEvidence, type PassageQuery, passageQueryFor, titleEvidence } from './passage-evidence.ts';
import type { SegmentView } from './segment-view.ts';
import type { RankingWeights } from './weights.ts';

/** The components of a snippet's score. */
export interface ScoreParts {
  snippet: number;
  page: number;
  /**
   * Share (0 to 1) of the query's information that is in the snippet, its page's title or most titles of the module.
   * Terms that no view has count as missing.
   */
  coverage: number;
  title: number;
  /** Factor of module and role. */
  boost: number;
}

export interface RankedSnippet {
  view: number;
  page: number;
  snippet: number;
  score: number;
  parts: ScoreParts;
}

/**
 * Scores the candidates' snippets in detail and sorts them. `unknown` is the coverage weight of query terms that no
 * view has.
 */
export function rerank(
  views: readonly SegmentView[],
  candidates: readonly PageCandidate[],
  concepts: readonly Concept[],
  unknown: number,
  weights: RankingWeights,
): RankedSnippet[] {
  const shares = concepts.map(({ snippetWeight }) => snippetWeight);
  const information = shares.reduce((a, b) => a + b, 0);
  const asked = concepts.reduce((sum, { coverageWeight }) => sum + coverageWeight, unknown);
  const queries = new Map<number, PassageQuery>();
  const ranked: RankedSnippet[] = [];
  for (const { view, page, pageScore, boost, snippets } of candidates) {
    const { index } = (views[view] as SegmentView).segment;
    const passageQuery = queries.get(view) ?? passageQueryFor(index, view, concepts);
    queries.set(view, passageQuery);
    const title = titleEvidence(index.title(page), passageQuery, shares);
    for (const { snippet, score } of snippets) {
      const evidence = findEvidence(index.sequence(snippet), passageQuery);
      let [covered, answered, bySelf] = [0, 0, 0];
      for (let slot = 0; slot < concepts.length; slot += 1) {
        const { snippetWeight, coverageWeight } = concepts[slot] as Concept;
        const has = Math.max(evidence[slot] as number, title.has[slot] as number);
        covered += snippetWeight * has;
        answered += coverageWeight * has;
        if (passageQuery.selfSlots.has(slot)) bySelf += coverageWeight * (1 - has);
      }
      const parts: ScoreParts = {
        snippet: score,
        page: pageScore,
        coverage: covered === 0 ? 0 : (answered + bySelf) / asked,
        title: title.score,
        boost,
      };
      ranked.push({ view, page, snippet, score: scoreOf(parts, covered, information, weights), parts });
    }
  }
  return holdBackSources(views, ranked.sort(byScore), weights).sort(byScore);
}

/**
 * If the best passage is not from a program's source, lowers the scores of source passages: sources contain most words
 * of a question and would displace explanations.
 */
function holdBackSources(
  views: readonly SegmentView[],
  ranked: RankedSnippet[],
  weights: RankingWeights,
): RankedSnippet[] {
  const source = pageRoles.indexOf('source');
  const isSource = ({ view, page }: RankedSnippet) =>
    (views[view] as SegmentView).segment.index.pageRoles[page] === source;
  if (ranked[0] === undefined || isSource(ranked[0])) return ranked;
  return ranked.map((one) => (isSource(one) ? { ...one, score: one.score * weights.sourceBehind } : one));
}

function byScore(a: RankedSnippet, b: RankedSnippet): number {
  return b.score - a.score || a.view - b.view || a.snippet - b.snippet;
}

function scoreOf(parts: ScoreParts, covered: number, information: number, weights: RankingWeights): number {
  const lexical =
    parts.snippet +
    weights.page * parts.page +
    weights.title * parts.title +
    (information === 0 ? 0 : (weights.coverage * covered * covered) / information);
  return lexical * parts.boost;
}
