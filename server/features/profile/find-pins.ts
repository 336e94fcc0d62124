import type { Context } from '#server/context.ts';
import { compareVersions } from '#server/features/catalog/index.ts';
import { libraryNamesOf, type NamedModule } from './library-names.ts';
import { findPins as findPinRows, listProfileRows, type PinRow } from './store.ts';

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
  const order = profiles
    .toSorted((a, b) => Number(isNamed(b.name, ctx.project)) - Number(isNamed(a.name, ctx.project)))
    .map(({ id }) => id);
  const rows = await findPinRows(ctx.db.query, order, [...new Set([...names.values()].flat())]);
  const best = new Map<string, PinRow>();
  for (const row of rows.toSorted((a, b) => compareRows(a, b, order)))
    if (!best.has(row.matchName)) best.set(row.matchName, row);
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

function compareRows(a: PinRow, b: PinRow, order: string[]): number {
  return (
    order.indexOf(a.profileId) - order.indexOf(b.profileId) ||
    b.isDirect - a.isDirect ||
    compareVersions(a.version, b.version)
  );
}
