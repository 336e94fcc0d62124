import { limits } from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { type Attempt, countAttempts } from '#server/features/accounts/index.ts';
import type { Owner } from './store.ts';

/** Counts a question; refuses (`chat-limit-reached`, with the time to wait) the person who has asked too many of late. */
export async function limitQuestions(ctx: Context, owner: Owner | undefined, address: string): Promise<void> {
  const attempts: Attempt[] =
    owner === undefined ? [['chat-visitor', address], ['chat-all-visitors']] : [['chat-person', owner.userId]];
  const retryAfterSeconds = await countAttempts(ctx, attempts);
  if (retryAfterSeconds === undefined) return;
  throw new AppError('chat-limit-reached', {
    retryAfterSeconds,
    values: {
      limit: owner === undefined ? limits.chatVisitorQuestionsMax : limits.chatPersonQuestionsMax,
      minutes: limits.chatVisitorMinutes,
      wait: waitOf(retryAfterSeconds),
      remedy: owner === undefined ? 'With an account you can go on now.' : '',
    },
  });
}

function waitOf(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}
