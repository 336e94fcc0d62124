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

/**
 * Thrown if a repository could not be read; the message is one sentence for people with the next step. Contains no
 * secret.
 */
export class GitError extends CodedError<GitErrorCode> {
  override readonly name = 'GitError';
}
