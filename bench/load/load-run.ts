import type { Product } from '../../eval/drive/product.ts';
import { bars } from './bars.ts';
import { type Ask, type Calls, p } from './callers.ts';
import { type CorpusSite, queryAt } from './corpus.ts';

/** A line of the report: figures as text, and whether they pass and are good. */
export interface Line {
  id: string;
  measure: string;
  figures: string;
  pass: string;
  good: string;
  passes: boolean;
  isGood: boolean;
}

export interface LoadRun {
  product: Product;
  key: string;
  folder: string;
  /** Serves pages to the product at a limited rate, and unlinked pages without delay. */
  site: CorpusSite;
  /** Shortens everything: for testing the benchmark, not for figures. */
  isQuick: boolean;
  /** Maximum seconds for each part of a line, except parts that must run to their end. */
  secondsEach: number;
  /** Snippets in the searched corpus. */
  snippets: number;
  /** Figures that later lines compare with. */
  idleP95Ms?: number;
}

export const ms = (value: number) => `${value.toFixed(1)} ms`;
export const mb = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

/** Returns how long to measure a line that takes `full` seconds in a full run. */
export function secondsOf(run: Pick<LoadRun, 'isQuick' | 'secondsEach'>, full: number): number {
  return run.isQuick ? Math.min(3, full) : Math.min(full, run.secondsEach);
}

export function lineOf(id: string, figures: string, [passes, isGood]: [boolean, boolean], errors = ''): Line {
  const { measure, pass, good } = bars[id] ?? { measure: id, pass: '', good: '' };
  const told = errors === '' ? figures : `${figures}; errors: ${errors}`;
  const isEnough = passes && errors === '';
  return { id, measure, figures: told, pass, good, passes: isEnough, isGood: isEnough && isGood };
}

export function get(run: LoadRun, path: (index: number) => string, key = run.key): Ask {
  return (index) => fetch(`${run.product.origin}${path(index)}`, { headers: { authorization: `Bearer ${key}` } });
}

export const searchPath = (index: number) => `/api/search?query=${encodeURIComponent(queryAt(index))}`;

/** Compares latencies: `ratio` is that of the 95th percentiles. */
export function ratioTo(idleP95Ms: number, calls: Calls): { ratio: number; words: string } {
  const p95 = p(calls, 0.95);
  const ratio = p95 / idleP95Ms;
  return { ratio, words: `p95 ${ms(p95)}, ${ratio.toFixed(2)} x of ${ms(idleP95Ms)}` };
}
