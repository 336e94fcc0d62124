import type { QueryTermKind } from '../analysis/analyze-query.ts';
import type { PageField, SnippetField } from '../segment/fields.ts';
import type { PageRole } from '../segment/page-role.ts';

/** The weight of a field and the influence of its length (0 none, 1 full proportion). */
export interface FieldWeight {
  weight: number;
  b: number;
}

/** All ranking settings. Chosen on the project's own questions over 50 documentation sets; see README.md. */
export interface RankingWeights {
  /** Factor of each kind of query term. */
  terms: Record<QueryTermKind, number>;
  /** Factor of function words in a short query. */
  shortQueryStop: number;
  /** Weight of a synonym's occurrence. */
  synonym: number;
  /** Weight of an occurrence of a known word that an unknown query word may be a misspelling of. */
  misspelt: number;
  /** Saturation of term frequency in a snippet and in a page. */
  snippetK1: number;
  pageK1: number;
  snippetFields: Record<SnippetField, FieldWeight>;
  pageFields: Record<PageField | SnippetField, FieldWeight>;
  /** Factor of the page's score relative to the snippet's. */
  page: number;
  /** Factor for a page's scores by page role. */
  roles: Record<PageRole, number>;
  /** Further factor for a program source if the best passage is not from one. */
  sourceBehind: number;
  /** Weight of the share of the query's information that a snippet and its page title have. */
  coverage: number;
  /** Weight of the share of a title's information that the query covers. */
  title: number;
  /** Share of a unique word's information that a term is given on a page whose whole title it is. */
  named: number;
  /** Weight of the density of the query's terms in a module compared with others. */
  moduleDensity: number;
  /**
   * Assumed share of a term's maximum contribution when pages are pruned before the term has been looked up. 1 prunes
   * no page that could be among the best; real pages reach less.
   */
  reach: number;
}

export const defaultWeights: RankingWeights = {
  terms: { word: 1, filler: 0.35, stop: 0, whole: 1, part: 0.5, name: 0.1 },
  shortQueryStop: 0.6,
  synonym: 0.4,
  misspelt: 0.7,
  snippetK1: 1.5,
  pageK1: 1.5,
  snippetFields: {
    headings: { weight: 2, b: 0.4 },
    identifiers: { weight: 3, b: 0.3 },
    body: { weight: 1, b: 0.65 },
    code: { weight: 0.6, b: 0.5 },
  },
  pageFields: {
    title: { weight: 5, b: 0.3 },
    address: { weight: 2, b: 0.3 },
    inbound: { weight: 1, b: 0.3 },
    headings: { weight: 0.5, b: 0.8 },
    identifiers: { weight: 0.5, b: 0.8 },
    body: { weight: 0.5, b: 0.8 },
    code: { weight: 0.3, b: 0.8 },
  },
  page: 1.8,
  roles: { guide: 1, record: 0.7, index: 0.7, source: 0.8, listing: 0.4 },
  sourceBehind: 0.5,
  coverage: 0.6,
  title: 0.5,
  named: 0.5,
  moduleDensity: 1,
  reach: 0.55,
};
