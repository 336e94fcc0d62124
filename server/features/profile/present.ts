import { setImmediate } from 'node:timers/promises';
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
  const modules = named(await listModules(ctx));
  const profiles: Profile[] = [];
  for (const row of rows) {
    // A project can have tens of thousands of dependencies.
    await setImmediate();
    const own = await listDirectPins(ctx.db.query, row.id);
    const answerOf = matchModules(modules, new Set(own.map(({ matchName }) => matchName)));
    profiles.push({
      profileId: row.id,
      name: row.name,
      lockfiles: storedJson<KeptLockfile[]>(row.lockfiles, []).map(presentLockfile),
      ...{ createdAt: row.createdAt, updatedAt: row.updatedAt },
      libraryCount: await countPins(ctx.db.query, row.id),
      directCount: own.length,
      indexedCount: own.filter((pin) => answerOf(pin) !== null).length,
    });
  }
  return profiles;
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

/** Returns modules with the names of their libraries. */
export function named(modules: LibraryModule[]): { module: LibraryModule; names: string[] }[] {
  return modules.map((module) => ({ module, names: libraryNamesOf(module) }));
}

/**
 * Matches modules' names with pinned ones. A module stands for the most reliable of its names that is pinned
 * (`pinned`), as when a search looks up a module's pin.
 */
export function matchModules(modules: ReturnType<typeof named>, pinned: ReadonlySet<string>): AnswerOf {
  const byName = new Map<string, LibraryModule[]>();
  for (const { module, names } of modules) {
    const name = names.find((one) => pinned.has(one));
    if (name !== undefined) byName.set(name, [...(byName.get(name) ?? []), module]);
  }
  return ({ matchName, version }) => {
    const [nearest] = nearestFirst(byName.get(matchName) ?? [], version);
    if (nearest === undefined) return null;
    const { moduleId, displayName, visibility } = nearest;
    return { moduleId, displayName, visibility, version: nearest.version, fit: fitOf(nearest.version, version) };
  };
}
