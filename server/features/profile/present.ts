import type { LibraryModule } from '#contract/library.ts';
import type { PinnedLibrary, Profile, ProfileLockfile } from '#contract/profile.ts';
import type { Context } from '#server/context.ts';
import { listModules } from '#server/features/catalog/index.ts';
import { storedJson } from '#server/platform/db/stored-json.ts';
import { libraryNamesOf } from './library-names.ts';
import { fitOf, nearestFirst } from './nearest-version.ts';
import { countPins, listDirectPins, type ProfileRow } from './store.ts';

/** Returns projects as shown to users, with the number of their dependencies that are indexed now. */
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

/** A stored lockfile. Older rows have no `problemCount`; their last sentence states how many problems were omitted. */
type KeptLockfile = Omit<ProfileLockfile, 'problemCount'> & { problemCount?: number };

function presentLockfile({ problems, problemCount, ...lockfile }: KeptLockfile): ProfileLockfile {
  if (problemCount !== undefined) return { ...lockfile, problems, problemCount };
  const rest = Number(/^(\d+) more entries were left out\.$/.exec(problems.at(-1) ?? '')?.[1] ?? 0);
  const named = rest > 0 ? problems.slice(0, -1) : problems;
  return { ...lockfile, problems: named, problemCount: named.length + rest };
}

/** Returns the module from which a search for a pinned library is answered. */
type AnswerOf = (pin: { matchName: string; version: string }) => PinnedLibrary['answer'];

/**
 * Matches modules' names with pinned ones. A module stands for the most reliable of its names that is pinned
 * (`pinned`), as when a search looks up a module's pin.
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
