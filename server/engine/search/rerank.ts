import type { AnalyzedQuery } from '../analysis/analyze-query.ts';
import type { PageCandidate } from './collect-pages.ts';
import type { Concept } from './concepts.ts';
import { mentionEvidence } from './mention-evidence.ts';
import { findEvidence } from './passage-evidence.ts';
import { type PassageQuery, pairsOf, passageQueryFor } from './passage-query.ts';
import type { SegmentView } from './segment-view.ts';
import { titleEvidence } from './title-evidence.ts';
import type { RankingWeights } from './weights.ts';

/** What a snippet's score is made of. */
export interface ScoreParts {
  snippet: number;
  page: number;
  /** Of the best other snippet of the page. */
  other: number;
  adjacent: number;
  near: number;
  /** 0 to 1. */
  coverage: number;
  title: number;
  /** Of the best mention on another page. */
  mention: number;
  phrases: number;
  /** Likeness to the best passages of the first ranking. */
  feedback: number;
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
  const pairs = pairsOf(query, concepts);
  // Words written as one are a second guess at words that count already.
  const shares = concepts.map(({ kind, snippetWeight }) => (kind === 'joined' ? 0 : snippetWeight));
  const information = shares.reduce((a, b) => a + b, 0);
  const queries = new Map<number, PassageQuery>();
  const ranked: RankedSnippet[] = [];
  for (const { view, page, pageScore, boost, snippets } of candidates) {
    const { index } = (views[view] as SegmentView).segment;
    const passageQuery = queries.get(view) ?? passageQueryFor(index, view, concepts, pairs, query.phrases);
    queries.set(view, passageQuery);
    const title = titleEvidence(index.title(page), passageQuery, shares);
    const mention = mentionEvidence(index.mentions(page), passageQuery, shares);
    for (const { snippet, score } of snippets) {
      const evidence = findEvidence(index, snippet, passageQuery);
      const covered = shares.reduce(
        (sum, share, slot) => sum + share * Math.max(evidence.has[slot] as number, title.has[slot] as number),
        0,
      );
      const parts: ScoreParts = {
        snippet: score,
        page: pageScore,
        other: snippets.find((candidate) => candidate.snippet !== snippet)?.score ?? 0,
        adjacent: evidence.adjacent,
        near: evidence.near,
        coverage: information === 0 ? 0 : covered / information,
        title: title.score,
        mention,
        phrases: evidence.phrases,
        feedback: 0,
        boost,
      };
      ranked.push({ view, page, snippet, score: scoreOf(parts, information, weights), parts });
    }
  }
  return ranked.sort(byScore);
}

/**
 * Raises the pages that others speak of in the words of the question. After everything else: what they say of a page is
 * no sign that words around its best passages are those of the answer.
 */
export function addMentions(ranked: RankedSnippet[], weights: RankingWeights): RankedSnippet[] {
  for (const snippet of ranked) snippet.score += weights.mention * snippet.parts.mention * snippet.parts.boost;
  return ranked.sort(byScore);
}

export function byScore(a: RankedSnippet, b: RankedSnippet): number {
  return b.score - a.score || a.view - b.view || a.snippet - b.snippet;
}

function scoreOf(parts: ScoreParts, information: number, weights: RankingWeights): number {
  const lexical =
    parts.snippet +
    weights.page * parts.page +
    weights.otherSnippet * parts.other +
    weights.adjacent * parts.adjacent +
    weights.near * parts.near +
    weights.title * parts.title +
    weights.coverage * parts.coverage * parts.coverage * information +
    weights.phrase * parts.phrases * information;
  return lexical * parts.boost;
}
