import type { SourceSecret } from '#contract/source-credentials.ts';
import { AppError } from '#server/app-error.ts';

/** Git's shorthand for SSH addresses, `git@host:path`. */
const sshShorthand = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)/;

/**
 * Returns the origin of an address as credentials use it: scheme, host and port (`https://docs.example`,
 * `ssh://git.example:22`). Undefined if it is not the address of a site or repository.
 */
export function credentialOriginOf(address: string): string | undefined {
  const text = address.replace(/^git\+/, '');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.origin;
  if (url?.protocol === 'ssh:') return `ssh://${url.hostname.toLowerCase()}:${url.port || '22'}`;
  const host = url === undefined || !text.includes('://') ? sshShorthand.exec(text)?.[1] : undefined;
  return host === undefined ? undefined : `ssh://${host.toLowerCase()}:22`;
}

/**
 * Returns the origin that a new credential is bound to. Throws for invalid addresses, for kinds that do not fit the
 * scheme, and for secrets over plain http, except to hosts the operator allows.
 */
export function originForSecret(
  address: string,
  secret: SourceSecret,
  { allowHosts }: { allowHosts: readonly string[] },
): string {
  const origin = credentialOriginOf(address);
  if (origin === undefined) throw refused('give an address of the host it is for, such as https://docs.example.org');
  const isSsh = origin.startsWith('ssh:');
  if (isSsh !== (secret.kind === 'ssh-key')) {
    throw refused(isSsh ? 'an SSH address needs a private key' : 'a private key works only with SSH addresses');
  }
  if (origin.startsWith('http:') && !allowHosts.includes(withPort(new URL(origin)))) {
    throw refused('it would be sent unencrypted over http; give an https address');
  }
  return origin;
}

function withPort(url: URL): string {
  return `${url.hostname}:${url.port || '80'}`;
}

export function refused(reason: string): AppError {
  return new AppError('source-credential-refused', { values: { reason } });
}
