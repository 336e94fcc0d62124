import type { LibraryNotices } from '#server/features/indexing/index.ts';
import type { BackgroundWork } from '#server/platform/background-work.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import type { CodeHost } from '#server/platform/code-host/code-host.ts';
import type { SealingKeys } from '#server/platform/sealing.ts';
import type { RepositoryLists } from './repository-lists.ts';

/** What the verbs of hosting need beside their context. */
export interface HostingDependencies {
  /** Undefined: nothing is configured. */
  codeHost: CodeHost | undefined;
  sealingKeys: SealingKeys;
  publicUrl: string;
  notices: LibraryNotices;
  background: BackgroundWork;
  lists: RepositoryLists;
  /** Carries pushes to the check of repositories. */
  bus: Pick<Bus, 'publish'>;
}
