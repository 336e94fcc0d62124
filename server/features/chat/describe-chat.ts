import type { chatEndpoints } from '#contract/chat.ts';
import type { OutputOf } from '#contract/endpoint.ts';
import type { Context } from '#server/context.ts';
import { requireRight } from '#server/features/teams/index.ts';
import type { ChatDependencies } from './dependencies.ts';
import { findModule } from './find-module.ts';

/** Who writes the answers, and the module that was named, if the actor may read it. */
export async function describeChat(
  ctx: Context,
  { moduleId }: { moduleId?: string | undefined },
  deps: ChatDependencies,
): Promise<OutputOf<typeof chatEndpoints.describeChat>> {
  requireRight(ctx, 'docs.search');
  const module = moduleId === undefined ? null : await findModule(ctx, moduleId, deps);
  return { writer: deps.model === undefined ? 'passages' : 'model', model: deps.model?.name ?? null, module };
}
