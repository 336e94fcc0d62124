import * as limits from '#contract/limits.ts';
import { formatCount } from '../../ui/quantities.ts';

export const emptyFault = 'Enter a question.';

/** Returns the error for a question's length, counted as the server counts it, or undefined if the length is valid. */
export function lengthFault(text: string): string | undefined {
  const { length } = text.trim();
  const limit = limits.chatQuestionCharactersMax;
  return length > limit
    ? `${formatCount(length)} characters; the limit is ${formatCount(limit)}. Shorten it.`
    : undefined;
}
