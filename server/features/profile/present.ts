import type { LibraryModule } from '#contract/library.ts';
import type { PinnedLibrary, Profile, ProfileLockfile } from '#contract/profile.ts';
import type { Context } from '#server/context.ts';
import { listModules } from '#server/features/catalog/index.ts';
import { storedJson } from '#server/platform/db/stored-json.ts';
import { libraryNamesOf } from './library-names.ts';
import { fitOf, nearestFirst } from './nearest-version.ts';
import { countPins, listDirectPins, type ProfileRow } from './store.ts';

/** Projects as people see them, with how much of what they ask for is indexed now. */
export async function presentProfiles(ctx: Context, rows: ProfileRow[]): Promise<Profile[]> {
  const ids = rows.map(({ id }) => id);
  const [counts, direct, modules] = [
    await countPins(ctx.db.query, ids),
    await listDirectPins(ctx.db.query, ids),
    await listModules(ctx),
  ];
  return rows.map((row) => {
    const own = direct.filter(({ profileId }) => profileId === row.id);
    const answerOf = matchModules(modules, new Set(own.map(({ matchName }) => matchName)));
    return {
      profileId: row.id,
      name: row.name,
      lockfiles: storedJson<KeptLockfile[]>(row.lockfiles, []).map(presentLockfile),
      ...{ createdAt: row.createdAt, updatedAt: row.updatedAt },
      libraryCount: counts.get(row.id) ?? 0,
      directCount: own.length,
      indexedCount: own.filter((pin) => answerOf(pin) !== null).length,
    };
  });
}

/** Before entries that were left out had a count of their own, the last sentence was one about those that had none. */
type KeptLockfile = Omit<ProfileLockfile, 'problemCount'> & { problemCount?: number };

function presentLockfile({ problems, problemCount, ...lockfile }: KeptLockfile): ProfileLockfile {
  if (problemCount !== undefined) return { ...lockfile, problems, problemCount };
  const rest = Number(/^(\d+) more entries were left out\.$/.exec(problems.at(-1) ?? '')?.[1] ?? 0);
  const named = rest > 0 ? problems.slice(0, -1) : problems;
  return { ...lockfile, problems: named, problemCount: named.length + rest };
}

/** Finds what a search for a pinned library is answered from. */
type AnswerOf = (pin: { matchName: string; version: string }) => PinnedLibrary['answer'];

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
