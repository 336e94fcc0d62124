import { analyze } from '../analysis/analyze.ts';
import type { AnalyzedQuery } from '../analysis/analyze-query.ts';
import type { Segment } from '../segment/segment.ts';
import type { Concept } from './concepts.ts';
import type { SegmentView } from './segment-view.ts';
import type { RankingWeights } from './weights.ts';

/** A term that is the start of a name counts as the name when it is at least this share of it (`node`, `nodejs`). */
const nameShareMin = 0.6;
const namePrefixMin = 4;
/** Added to the size of a module, so that a tiny one is not the densest by one occurrence. */
const densitySnippets = 10;

/**
 * How much each view's scores are raised because the query seems to be about its module: it says one of the module's
 * names, or its terms are denser there than elsewhere. Views of one name are one module.
 */
export function routeViews(
  views: readonly SegmentView[],
  query: AnalyzedQuery,
  concepts: readonly Concept[],
  weights: RankingWeights,
): number[] {
  const modules = [...groupByModule(views).values()];
  const named = nameEvidence(views, modules, query);
  const dense = densityEvidence(views, modules, concepts);
  const boosts = views.map(({ boost }) => boost ?? 1);
  for (const [module, members] of modules.entries()) {
    const factor =
      (1 + weights.moduleName * (named[module] as number)) * (1 + weights.moduleDensity * (dense[module] as number));
    for (const at of members) boosts[at] = (boosts[at] as number) * factor;
  }
  return boosts;
}

/** Places of the views of each module. */
function groupByModule(views: readonly SegmentView[]): Map<string, number[]> {
  const modules = new Map<string, number[]>();
  for (const [at, { name, key }] of views.entries()) {
    const module = name ?? key;
    const known = modules.get(module);
    if (known === undefined) modules.set(module, [at]);
    else known.push(at);
  }
  return modules;
}

/** Per module, 0 to 1: a name only one module has counts fully, one that all have not at all. */
function nameEvidence(views: readonly SegmentView[], modules: readonly number[][], query: AnalyzedQuery): number[] {
  const evidence = new Array<number>(modules.length).fill(0);
  if (modules.length < 2) return evidence;
  const names = modules.map((members) => members.flatMap((at) => namesOf(views[at] as SegmentView)));
  for (const { term, kind } of query.terms) {
    if (kind === 'filler' || kind === 'stop') continue;
    const having = names.map((own) => own.some((name) => isName(term, name)));
    const count = having.filter(Boolean).length;
    if (count === 0) continue;
    const rarity = Math.log(modules.length / count) / Math.log(modules.length);
    for (const [module, has] of having.entries()) {
      if (has) evidence[module] = Math.max(evidence[module] as number, rarity);
    }
  }
  return evidence;
}

const analyzedNames = new WeakMap<Segment, { name: string | undefined; terms: string[] }>();

function namesOf({ name, segment }: SegmentView): string[] {
  const known = analyzedNames.get(segment);
  if (known !== undefined && known.name === name) return known.terms;
  const own = name === undefined ? [] : analyze(name).map(({ term }) => term);
  const terms = [...new Set([...own, ...segment.index.selfTerms])];
  analyzedNames.set(segment, { name, terms });
  return terms;
}

function isName(term: string, name: string): boolean {
  if (term === name) return true;
  return term.length >= namePrefixMin && name.startsWith(term) && term.length >= name.length * nameShareMin;
}

/** Per module, 0 to 1: its share in the density of the query's terms, weighed by their information. */
function densityEvidence(
  views: readonly SegmentView[],
  modules: readonly number[][],
  concepts: readonly Concept[],
): number[] {
  const evidence = new Array<number>(modules.length).fill(0);
  const sizes = modules.map((members) => sumOf(members, (at) => (views[at] as SegmentView).segment.snippetCount));
  let total = 0;
  for (const { alternatives, snippetWeight } of concepts) {
    const snippets = alternatives[0]?.term.snippets ?? [];
    const having = (at: number): number => snippets[at] ?? 0;
    const densities = modules.map(
      (members, module) => sumOf(members, having) / ((sizes[module] as number) + densitySnippets),
    );
    const sum = densities.reduce((a, b) => a + b, 0);
    if (sum === 0) continue;
    total += snippetWeight;
    for (const [module, density] of densities.entries()) {
      evidence[module] = (evidence[module] as number) + (snippetWeight * density) / sum;
    }
  }
  return total === 0 ? evidence : evidence.map((value) => value / total);
}

function sumOf(places: readonly number[], value: (at: number) => number): number {
  let sum = 0;
  for (const at of places) sum += value(at);
  return sum;
}
