import { setImmediate } from 'node:timers/promises';
import { profileLibrariesMax } from '#contract/limits.ts';
import type { Context } from '#server/context.ts';
import { compareVersions } from '#server/features/catalog/index.ts';
import { libraryNamesOf, type NamedModule } from './library-names.ts';
import { findPins as findPinRows, listProfileRows, type PinRow, type ProfileRow } from './store.ts';

/** The pinned version of a module's library. */
export interface LibraryPin {
  name: string;
  version: string;
}

/**
 * Returns the pins of these modules' libraries in the workspace's projects, by row id. If projects disagree, the
 * caller's project (`ctx.project`) takes precedence, else the one updated last; within a project, direct dependencies
 * precede transitive ones, and newer versions older ones.
 */
export async function findPins<Module extends NamedModule & { rowId: string }>(
  ctx: Context,
  modules: Module[],
): Promise<Map<string, LibraryPin>> {
  if (ctx.workspace === null || modules.length === 0) return new Map();
  const profiles = await listProfileRows(ctx.db.query, ctx.workspace);
  if (profiles.length === 0) return new Map();
  const names = new Map(modules.map((module) => [module.rowId, libraryNamesOf(module)]));
  const ordered = profiles.toSorted(
    (a, b) => Number(isNamed(b.name, ctx.project)) - Number(isNamed(a.name, ctx.project)),
  );
  const best = new Map<string, PinRow>();
  let left = [...new Set([...names.values()].flat())];
  for (const [at, group] of groupsOf(ordered).entries()) {
    if (at > 0) await setImmediate();
    const rows = await findPinRows(ctx.db.query, group, left);
    const inOrder = rows.toSorted(
      (a, b) => group.indexOf(a.profileId) - group.indexOf(b.profileId) || comparePins(a, b),
    );
    for (const row of inOrder) if (!best.has(row.matchName)) best.set(row.matchName, row);
    left = left.filter((name) => !best.has(name));
  }
  return new Map(
    [...names].flatMap(([rowId, own]) => {
      const pin = own.map((name) => best.get(name)).find((row) => row !== undefined);
      return pin === undefined ? [] : [[rowId, { name: pin.name, version: pin.version }] as const];
    }),
  );
}

function isNamed(name: string, project: string | undefined): boolean {
  return project !== undefined && name.toLowerCase() === project.toLowerCase();
}

/** Returns the ids of the projects in groups that have as many libraries as one project may have, or are one. */
function groupsOf(profiles: ProfileRow[]): string[][] {
  const groups: string[][] = [];
  let room = -1;
  for (const { id, libraryCount } of profiles) {
    room -= libraryCount;
    if (room >= 0) groups.at(-1)?.push(id);
    else {
      groups.push([id]);
      room = profileLibrariesMax - libraryCount;
    }
  }
  return groups;
}

/** Orders a project's pins of one library: direct dependencies first, then newer versions. */
export function comparePins(a: Pick<PinRow, 'isDirect' | 'version'>, b: Pick<PinRow, 'isDirect' | 'version'>): number {
  return b.isDirect - a.isDirect || compareVersions(a.version, b.version);
}
