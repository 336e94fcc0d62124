import type { Context } from '#server/context.ts';
import { type FolderNames, folderNames } from './folder-address.ts';
import { listServedModules } from './module-store.ts';
import { folderModuleOf, namesOfFolder } from './old-folder-pages.ts';
import { readableWorkspaces } from './policy.ts';
import { visibilityOf } from './present-module.ts';

/** Which module is meant, as what was kept of it says. */
interface KeptModule {
  moduleId: string;
  visibility: 'public' | 'private';
}

/** For what was kept with addresses of files: how the pages of a folder that the actor reads are called today. */
export async function readFolderNames(ctx: Context): Promise<(module: KeptModule) => FolderNames> {
  const known = new Map<string, FolderNames>();
  for (const row of await listServedModules(ctx.db.query, readableWorkspaces(ctx))) {
    const folder = folderModuleOf(row);
    if (folder !== undefined) known.set(`${visibilityOf(row.workspace)} ${row.slug}`, await namesOfFolder(folder));
  }
  return ({ moduleId, visibility }) => known.get(`${visibility} ${moduleId}`) ?? folderNames(moduleId, []);
}
