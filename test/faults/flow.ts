import type { SampleSite } from '../library/sample-site.ts';
import type { Stage } from './stage.ts';

/** Work that people have an installation do, as a client that tries again after a fault does it. */
export interface Flow {
  /** Brings a fresh installation to where the work begins. */
  prepare?(stage: Stage): Promise<void>;
  /** What changes outside of the installation before the work. */
  change?(site: SampleSite): void;
  /**
   * Does the work; when it was cut off, it is done again from the beginning with what had been acknowledged. Tells each
   * step once it was acknowledged.
   */
  work(stage: Stage, acknowledge: (step: string) => void, before: string[]): Promise<void>;
  /** Throws unless each of these steps is there, exactly once. Steps that were not acknowledged may be there too. */
  requireKept(stage: Stage, acknowledged: string[]): Promise<void>;
}
