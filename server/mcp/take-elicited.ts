import type { Context } from '#server/context.ts';
import { isWhichId, type Search } from '#server/features/search/index.ts';
import { takeWhichAnswer } from './ask-which.ts';
import { type Indexing, takeAnswer } from './index-source.ts';
import type { ElicitedAnswer } from './talk.ts';

/** Takes what a person answered to a question of this server, whichever it was. */
export async function takeElicited(
  deps: { search: Search; indexing?: Indexing | undefined },
  ctx: Context,
  questionId: string,
  given: { action: ElicitedAnswer; content: Record<string, unknown> },
): Promise<void> {
  if (isWhichId(questionId)) return takeWhichAnswer(deps.search, ctx, questionId, given);
  if (deps.indexing !== undefined) await takeAnswer(deps.indexing, ctx, questionId, given);
}
