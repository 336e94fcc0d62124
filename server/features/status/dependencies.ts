import type { AnswerCache } from './answer-cache.ts';
import type { Sampling } from './measure-status.ts';

/** What the verbs that report the status need beside the database. */
export interface StatusDependencies {
  sampling: Sampling;
  cache: AnswerCache;
}
