import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import type { ChatDependencies } from './dependencies.ts';

/** The module a chat asks. One that the actor may not read and one that is not there are the same (`module-not-found`). */
export async function findModule(
  ctx: Context,
  moduleId: string,
  { search }: Pick<ChatDependencies, 'search'>,
): Promise<{ moduleId: string; displayName: string }> {
  const found = (await search.listModules(ctx)).find((module) => module.moduleId === moduleId);
  if (found === undefined) throw new AppError('module-not-found', { values: { module: moduleId } });
  return { moduleId: found.moduleId, displayName: found.displayName };
}
