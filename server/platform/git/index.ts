export type { FetchedTree } from './fetch-tree.ts';
export type { BlobReader, TreeEntry } from './fetched-tree.ts';
export { createGit, type Git } from './git.ts';
export { GitError } from './git-error.ts';
export { type GitCredential, type GitRemote, parseRemote } from './git-remote.ts';
export type { FoundRef, RemoteRefs } from './remote-refs.ts';
export type { KnownHosts } from './shell-settings.ts';
