import type { SourceSecret } from '#contract/source-credentials.ts';
import { sourceRefused } from '#server/app-error.ts';
import type { GitCredential } from '#server/platform/git/index.ts';

/** Converts a stored secret to git's form; cookies and headers only work for sites. */
export function gitCredentialOf(secret: SourceSecret): GitCredential {
  switch (secret.kind) {
    case 'basic':
      return { kind: 'basic', username: secret.username, password: secret.password };
    case 'token':
      // Hosts that ignore the user name accept any; GitHub documents this one.
      return { kind: 'basic', username: secret.username || 'x-access-token', password: secret.token };
    case 'ssh-key':
      return { kind: 'ssh-key', privateKey: secret.privateKey };
    case 'header':
    case 'cookie': {
      const reason = `A ${secret.kind} does not give access to a repository. Store a token, a password or an SSH key instead.`;
      throw sourceRefused(reason);
    }
  }
}
