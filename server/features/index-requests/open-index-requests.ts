import { indexRequestEndpoints } from '#contract/index-requests.ts';
import type { Context } from '#server/context.ts';
import type { Indexing } from '#server/features/indexing/index.ts';
import type { Platform } from '#server/platform/open-platform.ts';
import { createHostCheck } from '#server/platform/outbound/index.ts';
import { feature, serve } from '../feature.ts';
import { getTeam, type Teams } from '../teams/index.ts';
import { type AskInput, askToIndex } from './ask-to-index.ts';
import { mayAskToIndex } from './asker.ts';
import { type AnswerByAgent, answerByAgent, approveIndexRequest, declineIndexRequest } from './decide.ts';
import { listIndexRequests } from './list-index-requests.ts';
import { deleteRequests } from './store.ts';

export type IndexRequests = ReturnType<typeof openIndexRequests>;

/** Opens index requests: sources that agents ask for, and users' answers. */
export function openIndexRequests(
  { config: { allowHosts }, publicUrl }: Platform,
  { teams, indexing: { notices } }: { teams: Teams; indexing: Indexing },
) {
  const checkHost = createHostCheck({ allowHosts });
  teams.teamDeleted.on((tx, { id }) => deleteRequests(tx, `team:${id}`));
  return feature({
    name: 'index-requests',
    verbs: {
      mayAsk: mayAskToIndex,
      ask: (ctx: Context, input: AskInput) => askToIndex(ctx, input, { checkHost }),
      answer: (ctx: Context, answer: AnswerByAgent) => answerByAgent(ctx, answer, notices),
      workspaceName,
      /** The page where users answer requests. */
      approvalAddress: `${publicUrl.replace(/\/+$/, '')}/resources?tab=requests`,
    },
    endpoints: serve(indexRequestEndpoints, {
      listIndexRequests: async (ctx) => ({ requests: await listIndexRequests(ctx) }),
      approveIndexRequest: (ctx, input) => approveIndexRequest(ctx, input, notices),
      declineIndexRequest: async (ctx, input) => ({ request: await declineIndexRequest(ctx, input) }),
    }),
    personalData: { indexRequests: (ctx) => listIndexRequests(ctx) },
  });
}

async function workspaceName(ctx: Context): Promise<string> {
  if (ctx.membership === undefined || ctx.actor.kind === 'anonymous') return 'yourself';
  const person: Context = { ...ctx, actor: { kind: 'user', userId: ctx.actor.userId } };
  return `the team ${(await getTeam(person, { teamId: ctx.membership.teamId })).name}`;
}
