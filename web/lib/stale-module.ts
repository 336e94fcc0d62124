import type { LibraryModule } from '#contract/library.ts';
import * as limits from '#contract/limits.ts';

/** Returns true if a site or folder may be outdated: they are not checked automatically for changes. */
export function isStale({ kind, lastUpdated }: Pick<LibraryModule, 'kind' | 'lastUpdated'>, now: number): boolean {
  const isKeptCurrent = kind === 'git' || kind === 'pdf';
  return !isKeptCurrent && lastUpdated !== null && now - lastUpdated > limits.sourceStaleDays * 24 * 3_600_000;
}
