import { foldText } from '#server/engine/analysis/fold.ts';
import { scanTerms } from '#server/engine/analysis/scan.ts';
import type { Concept } from '#server/engine/search/concepts.ts';
import type { FieldWeight, RankingWeights } from '#server/engine/search/weights.ts';
import { addressText } from '#server/engine/segment/address-text.ts';
import { pageFieldCountMax, pageFields, snippetFields } from '#server/engine/segment/fields.ts';
import { codeOfLength, lengthOfCode } from '#server/engine/segment/length-code.ts';
import { pageRoleOf } from '#server/engine/segment/page-role.ts';
import { eachSnippetTerm } from '#server/engine/segment/snippet-terms.ts';
import type { PageRecord } from '#server/engine/types.ts';

/** A module as plain records, the input of a segment and its view. */
export interface ReferenceModule {
  pages: PageRecord[];
  hiddenPages: ReadonlySet<number>;
  boost: number;
}

export interface ReferencePage {
  view: number;
  page: number;
  score: number;
  /** Its snippets' scores in reading order. */
  snippets: number[];
}

type Counts = Map<string, number>;

interface ReferenceText {
  fields: Counts[];
  lengths: number[];
}

const snippetFieldNumbers = snippetFields.map((_, field) => field);

function readSnippetFields(page: PageRecord): ReferenceText[] {
  return page.snippets.map((snippet) => {
    const fields: Counts[] = snippetFieldNumbers.map(() => new Map());
    const lengths = snippetFieldNumbers.map(() => 0);
    eachSnippetTerm(snippet, (field, term) => {
      const counts = fields[field] as Counts;
      counts.set(term, (counts.get(term) ?? 0) + 1);
      lengths[field] = (lengths[field] as number) + 1;
    });
    return { fields, lengths };
  });
}

function readPageFields(page: PageRecord): ReferenceText {
  const texts = [[page.title], [addressText(page.url)], page.inboundAnchors ?? []];
  const fields: Counts[] = [];
  const lengths: number[] = [];
  for (const own of texts) {
    const counts: Counts = new Map();
    let length = 0;
    for (const text of own) {
      scanTerms(foldText(text), true, (term) => {
        counts.set(term, (counts.get(term) ?? 0) + 1);
        length += 1;
      });
    }
    fields.push(counts);
    lengths.push(length);
  }
  return { fields, lengths };
}

interface ReadPage {
  own: ReferenceText;
  snippets: ReferenceText[];
}

interface Scoring {
  concepts: readonly Concept[];
  weights: RankingWeights;
  /** Average lengths per snippet field, and per page field followed by snippet fields summed over the page. */
  snippetAverages: number[];
  pageAverages: number[];
}

/**
 * Returns the score of every page of every module, computed slowly and directly from the formula: no postings, no
 * pruning, no segments. The search is compared with it.
 */
export function referenceScores(
  modules: readonly ReferenceModule[],
  concepts: readonly Concept[],
  weights: RankingWeights,
): ReferencePage[] {
  const read = modules.map(({ pages }) =>
    pages.map((page) => ({ own: readPageFields(page), snippets: readSnippetFields(page) })),
  );
  const scoring = { concepts, weights, ...averagesOf(read.flat()) };
  const results: ReferencePage[] = [];
  for (const [view, module] of modules.entries()) {
    const selfTerms = selfTermsOf(read[view] ?? []);
    for (const [page, record] of module.pages.entries()) {
      const text = read[view]?.[page] as ReadPage;
      if (module.hiddenPages.has(page) || text.snippets.length === 0) continue;
      const snippets = text.snippets.map((snippet) => snippetScore(snippet, scoring));
      const boost = module.boost * weights.roles[pageRoleOf(record)];
      const score = (Math.max(0, ...snippets) + weights.page * pageScore(text, scoring, selfTerms)) * boost;
      if (score > 0) results.push({ view, page, score, snippets });
    }
  }
  return results.sort((a, b) => b.score - a.score || a.view - b.view || a.page - b.page);
}

function averagesOf(pages: readonly ReadPage[]): Pick<Scoring, 'snippetAverages' | 'pageAverages'> {
  const snippets = pages.flatMap((page) => page.snippets);
  const average = (texts: readonly ReferenceText[], field: number, count: number) =>
    Math.max(1, texts.reduce((sum, { lengths }) => sum + (lengths[field] as number), 0) / Math.max(1, count));
  const owns = pages.map(({ own }) => own);
  return {
    snippetAverages: snippetFieldNumbers.map((field) => average(snippets, field, snippets.length)),
    pageAverages: [
      ...pageFields.map((_, field) => average(owns, field, pages.length)),
      ...snippetFieldNumbers.map((field) => average(snippets, field, pages.length)),
    ],
  };
}

function snippetScore(text: ReferenceText, { concepts, weights, snippetAverages }: Scoring): number {
  return concepts.reduce((sum, concept) => {
    const frequency = snippetFields.reduce((total, name, field) => {
      const count = countOf(text.fields[field] as Counts, concept);
      const length = text.lengths[field] as number;
      return total + count * norm(weights.snippetFields[name], length, snippetAverages[field] as number);
    }, 0);
    return sum + (concept.snippetWeight * frequency) / (weights.snippetK1 + frequency);
  }, 0);
}

function pageScore({ own, snippets }: ReadPage, scoring: Scoring, selfTerms: ReadonlySet<string>): number {
  const { concepts, weights, pageAverages } = scoring;
  return concepts.reduce((sum, concept) => {
    const frequency =
      pageFrequency(own, concept, weights, pageAverages, selfTerms) +
      snippetsFrequency(snippets, concept, weights, pageAverages);
    return sum + (concept.pageWeight * frequency) / (weights.pageK1 + frequency);
  }, 0);
}

function countOf(counts: Counts, concept: Concept, max = Number.POSITIVE_INFINITY): number {
  return concept.alternatives.reduce(
    (sum, { term, weight }) => sum + weight * Math.min(max, counts.get(term.term) ?? 0),
    0,
  );
}

function norm({ weight, b }: FieldWeight, length: number, average: number): number {
  if (length === 0) return 0;
  return weight / (1 - b + (b * (lengthOfCode[codeOfLength(length)] as number)) / average);
}

function pageFrequency(
  own: ReferenceText,
  concept: Concept,
  weights: RankingWeights,
  averages: readonly number[],
  selfTerms: ReadonlySet<string>,
): number {
  return pageFields.reduce((total, name, field) => {
    if (name === 'title' && selfTerms.has(concept.term)) return total;
    const count = countOf(own.fields[field] as Counts, concept, pageFieldCountMax[field]);
    return total + count * norm(weights.pageFields[name], own.lengths[field] as number, averages[field] as number);
  }, 0);
}

function snippetsFrequency(
  snippets: readonly ReferenceText[],
  concept: Concept,
  weights: RankingWeights,
  averages: readonly number[],
): number {
  return snippetFields.reduce((total, name, field) => {
    const count = snippets.reduce((sum, { fields }) => sum + countOf(fields[field] as Counts, concept), 0);
    const length = snippets.reduce((sum, { lengths }) => sum + (lengths[field] as number), 0);
    return total + count * norm(weights.pageFields[name], length, averages[pageFields.length + field] as number);
  }, 0);
}

/** Returns the terms in at least half of the titles of a module with eight or more pages. */
function selfTermsOf(pages: readonly { own: ReferenceText }[]): Set<string> {
  const counts = new Map<string, number>();
  for (const { own } of pages) {
    for (const term of (own.fields[0] as Counts).keys()) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  const having = [...counts].filter(([, count]) => pages.length >= 8 && count >= pages.length / 2);
  return new Set(having.map(([term]) => term));
}
