import type { Context } from '#server/context.ts';
import { answerByAgent, askToIndex, mayAskToIndex } from '#server/features/index-requests/index.ts';
import type { LibraryNotices } from '#server/features/library/index.ts';
import { getTeam } from '#server/features/teams/index.ts';
import { createHostCheck } from '#server/platform/outbound/index.ts';
import type { Indexing } from './mcp/index-source.ts';

/** What agents need to ask people for sources. */
export function wireIndexing(parts: { notices: LibraryNotices; publicUrl: string; allowHosts: string[] }): Indexing {
  const { notices, publicUrl, allowHosts } = parts;
  const checkHost = createHostCheck({ allowHosts });
  return {
    mayAsk: mayAskToIndex,
    ask: (ctx, input) => askToIndex(ctx, input, { checkHost }),
    answer: (ctx, answer) => answerByAgent(ctx, answer, notices),
    workspaceName: nameOfWorkspace,
    approvalAddress: `${publicUrl.replace(/\/+$/, '')}/resources?tab=requests`,
  };
}

async function nameOfWorkspace(ctx: Context): Promise<string> {
  if (ctx.membership === undefined || ctx.actor.kind === 'anonymous') return 'yourself';
  const person: Context = { ...ctx, actor: { kind: 'user', userId: ctx.actor.userId } };
  return `the team ${(await getTeam(person, { teamId: ctx.membership.teamId })).name}`;
}
