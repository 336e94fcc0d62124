import type { AnswerCache } from './answer-cache.ts';
import type { Sampling } from './measure-status.ts';

/** Dependencies of the status calls, besides the database. */
export interface StatusDependencies {
  sampling: Sampling;
  cache: AnswerCache;
}
