import type { SampleSite } from '../library/sample-site.ts';
import type { Stage } from './stage.ts';

/** Work that users have an installation do, with retries like a client that repeats calls after a failure. */
export interface Flow {
  /** Prepares a fresh installation for the work. */
  prepare?(stage: Stage): Promise<void>;
  /** Changes outside the installation before the work. */
  change?(site: SampleSite): void;
  /**
   * Does the work and reports each acknowledged step. After a kill it is repeated from the beginning, with the steps
   * acknowledged before.
   */
  work(stage: Stage, acknowledge: (step: string) => void, before: string[]): Promise<void>;
  /** Throws unless each acknowledged step is stored exactly once. Unacknowledged steps may be stored too. */
  requireKept(stage: Stage, acknowledged: string[]): Promise<void>;
}
