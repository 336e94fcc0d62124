import type { Context } from '#server/context.ts';
import type { ReadableModule, Shelf } from '#server/features/catalog/index.ts';
import { requireRight } from '#server/features/teams/index.ts';
import { nearestModules } from './choose-modules.ts';
import { isNamed } from './choose-versions.ts';

/** Returns the modules that match a library name, best first: exact names, then names that contain it. */
export async function findLibraries(
  shelf: Shelf,
  ctx: Context,
  name: string,
  count: number,
): Promise<ReadableModule[]> {
  requireRight(ctx, 'docs.search');
  const wanted = name.trim().toLowerCase();
  const readable = await shelf.readableModules(ctx);
  if (wanted === '') return readable.slice(0, count);
  const called = readable.filter((module) => isNamed(module, wanted));
  const near = nearestModules(readable, wanted).filter((module) => !called.includes(module));
  return [...called, ...near].slice(0, count);
}
