import type { Context } from '#server/context.ts';
import type { LibraryNotices } from '#server/features/indexing/index.ts';
import type { Workspace } from '#server/platform/db/schema.ts';
import type { Git, GitCredential } from '#server/platform/git/index.ts';

export interface CredentialUse {
  credentialId: string;
  workspace: Workspace;
  url: string;
  /** True if files are read with it, not just the newest revision looked up. */
  readsFiles: boolean;
}

/** Dependencies for reading repositories, besides the context. */
export interface RepositoryDependencies {
  git: Git;
  notices: LibraryNotices;
  /** Opens the credential that a source names; throws an error with a message for users if it cannot be used. */
  openCredential(ctx: Context, use: CredentialUse): Promise<GitCredential>;
}
