import { limits } from '#contract/limits.ts';
import { cleanLabel } from '#server/features/search/index.ts';

/** A conversation is called by its first question, cut, until someone names it. */
export function titleOf(question: string): string {
  return cleanLabel(question, limits.chatTitleCharactersMax) || 'Untitled';
}
