import type { LibraryModule } from '#contract/library.ts';
import * as limits from '#contract/limits.ts';

/** No one looks by itself whether a site or a folder has changed: after some weeks it may well have. */
export function isStale({ kind, lastUpdated }: Pick<LibraryModule, 'kind' | 'lastUpdated'>, now: number): boolean {
  const isKeptCurrent = kind === 'git' || kind === 'pdf';
  return !isKeptCurrent && lastUpdated !== null && now - lastUpdated > limits.sourceStaleDays * 24 * 3_600_000;
}
