import type { JobRun } from '#contract/library.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import type { LibraryNotices } from '#server/features/indexing/index.ts';
import { requireAsker } from './asker.ts';
import { approveIndexRequest, declineIndexRequest } from './decide.ts';
import { findRequest, markClosedAtAgent } from './store.ts';

export interface AnswerByAgent {
  requestId: string;
  /** `close`: the user decided nothing, and can still do so on the screen. */
  answer: 'approve' | 'decline' | 'close';
}

/**
 * Stores the answer given at an agent's client by its user, the key's or connection's owner, who may decide the same as
 * on the screen. Only requests made with the same key or connection can be answered.
 */
export async function answerByAgent(
  ctx: Context,
  { requestId, answer }: AnswerByAgent,
  notices: LibraryNotices,
): Promise<JobRun | undefined> {
  const { userId, workspace, credential } = requireAsker(ctx);
  const request = await findRequest(ctx.db.query, workspace, requestId);
  if (request === undefined || request.credentialId !== credential.id) throw new AppError('index-request-not-found');
  const person: Context = { ...ctx, actor: { kind: 'user', userId } };
  if (answer === 'approve') return (await approveIndexRequest(person, { requestId }, notices, 'agent')).job;
  if (answer === 'decline') await declineIndexRequest(person, { requestId }, 'agent');
  else await ctx.db.transaction((tx) => markClosedAtAgent(tx, requestId));
  return undefined;
}
