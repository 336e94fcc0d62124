import type { QueryTermKind } from '../analysis/analyze-query.ts';
import type { PageField, SnippetField } from '../segment/fields.ts';
import type { PageRole } from '../segment/page-role.ts';

/** How much a field counts and how far its length does (0 not at all, 1 in full proportion). */
export interface FieldWeight {
  weight: number;
  b: number;
}

/** All settings of the ranking. Chosen on the project's own questions over 50 documentation sets; see README.md. */
export interface RankingWeights {
  /** Factor of each kind of query term. */
  terms: Record<QueryTermKind, number>;
  /** Factor of function words in a short query. */
  shortQueryStop: number;
  /** What an occurrence of a synonym counts. */
  synonym: number;
  /** What an occurrence of a word counts that an unknown one is a misspelling of. */
  misspelt: number;
  /** Saturation of term frequency in a snippet and in a page. */
  snippetK1: number;
  pageK1: number;
  snippetFields: Record<SnippetField, FieldWeight>;
  pageFields: Record<PageField | SnippetField, FieldWeight>;
  /** Factor of the whole page's score beside that of the snippet. */
  page: number;
  /** Factor of a page's scores by what the page is for. */
  roles: Record<PageRole, number>;
  /** Further factor of a program source where the best passage is not of one. */
  sourceBehind: number;
  /** For the share of the query's information that a snippet and its page title have. */
  coverage: number;
  /** For the share of a title's information that the query says. */
  title: number;
  /** For a module in which the query's terms are commoner than elsewhere. */
  moduleDensity: number;
  /**
   * Share of the most a term can add that is reckoned with where it has not been looked up yet, when pages are left out
   * that cannot be among the best any more. 1 leaves out none of them; real pages reach less.
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
  moduleDensity: 1,
  reach: 0.55,
};
