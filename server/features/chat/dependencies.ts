import type { Context } from '#server/context.ts';
import type { CallMeter } from '#server/features/credits/index.ts';
import type { Search } from '#server/features/search/index.ts';
import type { LanguageModel } from '#server/platform/language-model/language-model.ts';
import type { AnswersInProgress } from './answers-in-progress.ts';

/** The searches and reads of chats, and what each question was charged for them. */
export interface ChatSearch extends Pick<Search, 'searchDocs' | 'readUrl' | 'listModules'> {
  /** Refuses (`credits-exhausted`) who cannot pay for a search. */
  admit: CallMeter['admit'];
  /** Credits charged so far to calls with this very context. */
  creditsOf(ctx: Context): number;
}

export interface ChatDependencies {
  search: ChatSearch;
  /** Undefined: answers are made of the passages themselves. */
  model: LanguageModel | undefined;
  inProgress: AnswersInProgress;
}
