import type { LibraryNotices } from '#server/features/indexing/index.ts';
import type { PackageRegistries } from '#server/platform/package-registries/index.ts';

export interface ProfileDependencies {
  registries: PackageRegistries;
  notices: LibraryNotices;
  /** `host:port` entries of the operator: the only hosts whose addresses may be offered with plain http. */
  allowHosts: readonly string[];
}
