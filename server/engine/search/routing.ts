import type { Concept } from './concepts.ts';
import type { SegmentView } from './segment-view.ts';
import type { RankingWeights } from './weights.ts';

/** Added to a module's size, so that one occurrence does not make a tiny module the densest. */
const densitySnippets = 10;

/**
 * Returns the factor for each view's scores: modules in which the query's terms are denser than elsewhere gain. Views
 * with the same name are one module.
 */
export function routeViews(
  views: readonly SegmentView[],
  concepts: readonly Concept[],
  weights: RankingWeights,
): number[] {
  const modules = [...groupByModule(views).values()];
  const dense = densityEvidence(views, modules, concepts);
  const boosts = views.map(({ boost }) => boost ?? 1);
  for (const [module, members] of modules.entries()) {
    const factor = 1 + weights.moduleDensity * (dense[module] as number);
    for (const at of members) boosts[at] = (boosts[at] as number) * factor;
  }
  return boosts;
}

/** Returns the indexes of each module's views. */
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

/** Returns for each module, 0 to 1, its share in the density of the query's terms, weighted by their information. */
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
