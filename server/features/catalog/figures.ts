import type { Context } from '#server/context.ts';
import { countPublicModules, listNewestPublic } from './module-store.ts';

/** What of the public index was brought up to date last, newest first. Private modules are not in it. */
export async function getPublicFigures(
  ctx: Pick<Context, 'db'>,
  listed: number,
): Promise<{ modules: number; latest: { moduleId: string; displayName: string; lastUpdatedAt: number }[] }> {
  const [modules, rows] = [await countPublicModules(ctx.db.query), await listNewestPublic(ctx.db.query, listed)];
  return {
    modules,
    latest: rows.map(({ slug, displayName, lastUpdatedAt }) => ({
      ...{ moduleId: slug, displayName, lastUpdatedAt: lastUpdatedAt ?? 0 },
    })),
  };
}
