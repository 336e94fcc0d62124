import { CodedError } from '../coded-error.ts';

export type GitErrorCode =
  | 'git-missing'
  | 'git-too-old'
  | 'bad-repository-address'
  | 'bad-ref-name'
  | 'repository-not-found'
  | 'credential-needed'
  | 'credential-refused'
  | 'credential-unusable'
  | 'host-key-changed'
  | 'ref-not-found'
  | 'repository-empty'
  | 'repository-too-large'
  | 'folder-not-found'
  | 'timeout'
  | 'unreachable'
  | 'git-failed';

/** Why a repository was not read, as one sentence for people with the next step. Holds no secret. */
export class GitError extends CodedError<GitErrorCode> {
  override readonly name = 'GitError';
}
