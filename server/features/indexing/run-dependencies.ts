import type { SourceKind } from '#server/platform/db/schema.ts';
import type { Collect } from './collect.ts';
import type { IndexJobDependencies } from './index-job-dependencies.ts';

/** What carrying out a run needs of the process. */
export interface RunDependencies extends IndexJobDependencies {
  /** For the kinds of sources that features above this one read. */
  collectors: { readonly [Kind in SourceKind]?: Collect };
}
