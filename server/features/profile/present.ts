import type { LibraryModule } from '#contract/library.ts';
import type { PinnedLibrary, Profile, ProfileLockfile } from '#contract/profile.ts';
import type { Context } from '#server/context.ts';
import { listModules } from '#server/features/catalog/index.ts';
import { storedJson } from '#server/platform/db/stored-json.ts';
import { libraryNamesOf } from './library-names.ts';
import { fitOf, nearestFirst } from './nearest-version.ts';
import { findPinnedNames, type ProfileRow } from './store.ts';

/** A project as shown to users, and which of its libraries are indexed. */
export interface PresentedProfile {
  profile: Profile;
  answerOf: AnswerOf;
  /** Match names of the pins for which `answerOf` returns a module. */
  indexedNames: string[];
}

/** Presents a project with the readable modules that answer for its libraries. */
export async function presentProfile(ctx: Context, row: ProfileRow, modules: NamedModules): Promise<PresentedProfile> {
  const names = [...new Set(modules.flatMap((module) => module.names))];
  const pinned = await findPinnedNames(ctx.db.query, row, names);
  const byName = matchModules(modules, new Set(pinned.keys()));
  const indexedNames = [...byName.keys()];
  const profile = {
    profileId: row.id,
    name: row.name,
    lockfiles: storedJson<KeptLockfile[]>(row.lockfiles, []).map(presentLockfile),
    ...{ createdAt: row.createdAt, updatedAt: row.updatedAt },
    ...{ libraryCount: row.libraryCount, directCount: row.directCount },
    indexedCount: indexedNames.reduce((sum, name) => sum + (pinned.get(name) ?? 0), 0),
  };
  return { profile, answerOf: (pin) => answerIn(byName, pin), indexedNames };
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

export type NamedModules = { module: LibraryModule; names: string[] }[];

/** Returns the readable modules. */
export async function namedModules(ctx: Context): Promise<NamedModules> {
  return (await listModules(ctx)).map((module) => ({ module, names: libraryNamesOf(module) }));
}

/**
 * Returns modules by pinned name. A module stands for the most reliable of its names that is pinned, as when a search
 * looks up a module's pin.
 */
function matchModules(modules: NamedModules, pinned: ReadonlySet<string>): Map<string, LibraryModule[]> {
  const byName = new Map<string, LibraryModule[]>();
  for (const { module, names } of modules) {
    const name = names.find((one) => pinned.has(one));
    if (name !== undefined) byName.set(name, [...(byName.get(name) ?? []), module]);
  }
  return byName;
}

function answerIn(
  byName: ReadonlyMap<string, LibraryModule[]>,
  { matchName, version }: { matchName: string; version: string },
): PinnedLibrary['answer'] {
  const [nearest] = nearestFirst(byName.get(matchName) ?? [], version);
  if (nearest === undefined) return null;
  const { moduleId, displayName, visibility } = nearest;
  return { moduleId, displayName, visibility, version: nearest.version, fit: fitOf(nearest.version, version) };
}
