import type { LibraryNotices } from '#server/features/indexing/index.ts';
import type { BackgroundWork } from '#server/platform/background-work.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import type { CodeHost } from '#server/platform/code-host/code-host.ts';
import type { SealingKeys } from '#server/platform/sealing.ts';
import type { RepositoryLists } from './repository-lists.ts';

/** Dependencies of the hosting calls besides the context. */
export interface HostingDependencies {
  /** Undefined if no code host is configured. */
  codeHost: CodeHost | undefined;
  sealingKeys: SealingKeys;
  publicUrl: string;
  notices: LibraryNotices;
  background: BackgroundWork;
  lists: RepositoryLists;
  /** Passes pushes on to the check of repositories. */
  bus: Pick<Bus, 'publish'>;
}
