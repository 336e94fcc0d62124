import * as limits from '#contract/limits.ts';
import { formatCount } from '../../ui/quantities.ts';

export const emptyFault = 'Write a question first';

/** What keeps a question from being sent for its length, counted as the server counts; undefined when nothing does. */
export function lengthFault(text: string): string | undefined {
  const { length } = text.trim();
  const limit = limits.chatQuestionCharactersMax;
  return length > limit
    ? `${formatCount(length)} characters; the limit is ${formatCount(limit)}. Shorten it.`
    : undefined;
}
