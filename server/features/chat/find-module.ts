import type { chatEndpoints } from '#contract/chat.ts';
import type { OutputOf } from '#contract/endpoint.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { requireRight } from '#server/features/teams/index.ts';
import type { ChatDependencies } from './dependencies.ts';

/** Returns the module a chat is about; throws `module-not-found` both for an unreadable and for a missing one. */
export async function findModule(
  ctx: Context,
  moduleId: string,
  { search }: Pick<ChatDependencies, 'search'>,
): Promise<{ moduleId: string; displayName: string }> {
  const found = (await search.listModules(ctx)).find((module) => module.moduleId === moduleId);
  if (found === undefined) throw new AppError('module-not-found', { values: { module: moduleId } });
  return { moduleId: found.moduleId, displayName: found.displayName };
}

/** Returns who writes the answers, and the given module if the actor can read it. */
export async function describeChat(
  ctx: Context,
  { moduleId }: { moduleId?: string | undefined },
  deps: ChatDependencies,
): Promise<OutputOf<typeof chatEndpoints.describeChat>> {
  requireRight(ctx, 'docs.search');
  const module = moduleId === undefined ? null : await findModule(ctx, moduleId, deps);
  return { writer: deps.model === undefined ? 'passages' : 'model', model: deps.model?.name ?? null, module };
}
