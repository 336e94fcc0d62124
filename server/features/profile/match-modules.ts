import type { LibraryModule } from '#contract/library.ts';
import type { PinnedLibrary } from '#contract/profile.ts';
import { libraryNamesOf } from './library-names.ts';
import { fitOf, nearestFirst } from './nearest-version.ts';

/** Finds what a search for a pinned library is answered from. */
export type AnswerOf = (pin: { matchName: string; version: string }) => PinnedLibrary['answer'];

/**
 * Compares names of modules with those of pins. A module stands for the surest of its names that someone pins (`pinned`):
 * the same rule by which a search finds the pin of a module.
 */
export function matchModules(modules: LibraryModule[], pinned: ReadonlySet<string>): AnswerOf {
  const byName = new Map<string, LibraryModule[]>();
  for (const module of modules) {
    const name = libraryNamesOf(module).find((one) => pinned.has(one));
    if (name !== undefined) byName.set(name, [...(byName.get(name) ?? []), module]);
  }
  return ({ matchName, version }) => {
    const [nearest] = nearestFirst(byName.get(matchName) ?? [], version);
    if (nearest === undefined) return null;
    const { moduleId, displayName, visibility } = nearest;
    return { moduleId, displayName, visibility, version: nearest.version, fit: fitOf(nearest.version, version) };
  };
}
