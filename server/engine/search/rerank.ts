import type { AnalyzedQuery } from '../analysis/analyze-query.ts';
import type { PageCandidate } from './collect-pages.ts';
import type { Concept } from './concepts.ts';
import { findEvidence } from './passage-evidence.ts';
import { type PassageQuery, passageQueryFor } from './passage-query.ts';
import type { SegmentView } from './segment-view.ts';
import { titleEvidence } from './title-evidence.ts';
import type { RankingWeights } from './weights.ts';

/** What a snippet's score is made of. */
export interface ScoreParts {
  snippet: number;
  page: number;
  /** 0 to 1. */
  coverage: number;
  title: number;
  phrases: number;
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

/** Looks closely at the candidates' snippets and orders them by everything that is known about them. */
export function rerank(
  views: readonly SegmentView[],
  candidates: readonly PageCandidate[],
  query: AnalyzedQuery,
  concepts: readonly Concept[],
  weights: RankingWeights,
): RankedSnippet[] {
  const shares = concepts.map(({ snippetWeight }) => snippetWeight);
  const information = shares.reduce((a, b) => a + b, 0);
  const queries = new Map<number, PassageQuery>();
  const ranked: RankedSnippet[] = [];
  for (const { view, page, pageScore, boost, snippets } of candidates) {
    const { index } = (views[view] as SegmentView).segment;
    const passageQuery = queries.get(view) ?? passageQueryFor(index, view, concepts, query.phrases);
    queries.set(view, passageQuery);
    const title = titleEvidence(index.title(page), passageQuery, shares);
    for (const { snippet, score } of snippets) {
      const evidence = findEvidence(index.sequence(snippet), passageQuery);
      const covered = shares.reduce(
        (sum, share, slot) => sum + share * Math.max(evidence.has[slot] as number, title.has[slot] as number),
        0,
      );
      const parts: ScoreParts = {
        snippet: score,
        page: pageScore,
        coverage: information === 0 ? 0 : covered / information,
        title: title.score,
        phrases: evidence.phrases,
        boost,
      };
      ranked.push({ view, page, snippet, score: scoreOf(parts, information, weights), parts });
    }
  }
  return ranked.sort(byScore);
}

function byScore(a: RankedSnippet, b: RankedSnippet): number {
  return b.score - a.score || a.view - b.view || a.snippet - b.snippet;
}

function scoreOf(parts: ScoreParts, information: number, weights: RankingWeights): number {
  const lexical =
    parts.snippet +
    weights.page * parts.page +
    weights.title * parts.title +
    weights.coverage * parts.coverage * parts.coverage * information +
    weights.phrase * parts.phrases * information;
  return lexical * parts.boost;
}
