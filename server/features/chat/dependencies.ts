import type { Context } from '#server/context.ts';
import type { CallMeter } from '#server/features/credits/index.ts';
import type { Search } from '#server/features/search/index.ts';
import type { LanguageModel } from '#server/platform/language-model/language-model.ts';
import type { AnswersInProgress } from './answers-in-progress.ts';

/** The searches and reads of chats, and the credits charged per question. */
export interface ChatSearch extends Pick<Search, 'searchDocs' | 'readUrl' | 'listModules'> {
  /** Throws `credits-exhausted` if the caller cannot pay for a search. */
  admit: CallMeter['admit'];
  /** Returns the credits charged so far to calls with this context object. */
  creditsOf(ctx: Context): number;
}

export interface ChatDependencies {
  search: ChatSearch;
  /** If undefined, answers quote the passages themselves. */
  model: LanguageModel | undefined;
  inProgress: AnswersInProgress;
  /** An answer ends after this time: as it is, or with the passages if the model has written nothing. */
  answerSeconds: number;
}
