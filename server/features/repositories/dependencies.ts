import type { Context } from '#server/context.ts';
import type { LibraryNotices } from '#server/features/indexing/index.ts';
import type { Workspace } from '#server/platform/db/schema.ts';
import type { Git, GitCredential } from '#server/platform/git/index.ts';

export interface CredentialUse {
  credentialId: string;
  workspace: Workspace;
  url: string;
  /** Files are read with it, not only the newest revision looked up. */
  readsFiles: boolean;
}

/** What reading repositories needs beside a context. */
export interface RepositoryDependencies {
  git: Git;
  notices: LibraryNotices;
  /** Opens the credential that a source names; throws a told error when it may not be used. */
  openCredential(ctx: Context, use: CredentialUse): Promise<GitCredential>;
}
