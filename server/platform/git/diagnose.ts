import { nameLine } from '#contract/name-line.ts';
import { GitError } from './git-error.ts';
import type { ParsedRemote } from './git-remote.ts';

interface Failed {
  remote: ParsedRemote;
  hasCredential: boolean;
  complaint: string;
  /** Texts that must not be shown. */
  secrets: readonly string[];
}

/**
 * Translates a git error message for people; an unknown message is shown without secrets and without user names in
 * addresses.
 */
export function diagnose(failed: Failed): GitError {
  const { remote, complaint } = failed;
  const host = remote.kind === 'web' ? remote.url.host : shellHostOf(remote);
  for (const { when, then } of meanings) {
    if (when.test(complaint)) return then({ ...failed, host });
  }
  const shown = lastLine(redact(complaint, failed.secrets)) || 'it gave no reason';
  return new GitError('git-failed', `The repository on ${host} could not be read: ${shown}. Try again later.`);
}

function shellHostOf({ hostname, port }: Extract<ParsedRemote, { kind: 'shell' }>): string {
  return port === 22 ? hostname : `${hostname}:${port}`;
}

type Told = Failed & { host: string };

const meanings: { when: RegExp; then: (told: Told) => GitError }[] = [
  {
    when: /out of memory|cannot allocate memory/i,
    then: () =>
      new GitError(
        'repository-too-large',
        'The repository is too large: reading it takes more memory than allowed. Index a smaller repository.',
      ),
  },
  {
    when: /REMOTE HOST IDENTIFICATION HAS CHANGED|Host key verification failed|host key for .* has changed/i,
    then: ({ host }) =>
      new GitError(
        'host-key-changed',
        `${host} shows another host key than before, so nothing was sent to it. When its owner has changed the key, the operator forgets the old one with: lectern host-key forget ${host}`,
      ),
  },
  {
    when: /Load key .*(?:invalid format|error in libcrypto)|incorrect passphrase|passphrase/i,
    then: () =>
      new GitError(
        'credential-unusable',
        'The stored SSH key cannot be used: it is damaged or has a passphrase. Store a private key in OpenSSH form without a passphrase.',
      ),
  },
  {
    when: /could not read (?:Username|Password)|Authentication failed|HTTP Basic: Access denied|invalid credentials|returned error: 401|Permission denied \(|Permission denied, please try again/i,
    then: refusedAccess,
  },
  {
    when: /returned error: 403|access denied|not authorized|You are not allowed/i,
    then: refusedAccess,
  },
  {
    when: /not found|returned error: 404|does not appear to be a git repository|does not exist|Repository unavailable|not valid: is this a git repository/i,
    then: notFound,
  },
  {
    when: /unable to find remote ref|couldn't find remote ref|no matching remote head/i,
    then: () =>
      new GitError('ref-not-found', 'The branch or tag no longer exists. Choose another one for this repository.'),
  },
  {
    when: /dumb http transport/i,
    then: ({ host }) =>
      new GitError(
        'git-failed',
        `${host} offers this repository as plain files (git's dumb HTTP protocol), from which a single commit cannot be fetched. Use an address that speaks the smart protocol, or clone it and index the folder.`,
      ),
  },
  {
    when: /cannot run ssh|ssh: not found/i,
    then: () =>
      new GitError('git-missing', 'The program ssh is not on the PATH of this server. Install it and start again.'),
  },
  {
    when: /SSL|certificate|TLS/i,
    then: ({ host }) =>
      new GitError(
        'unreachable',
        `The secure connection to ${host} failed. Check its certificate; one signed by your own authority must be among those the machine trusts.`,
      ),
  },
  {
    when: /Could not resolve|timed out|Connection refused|Failed to connect|Couldn't connect|early EOF|unexpected disconnect|hung up|Empty reply|returned error: 5\d\d|Operation too slow|Connection (?:reset|closed)|No route to host/i,
    then: ({ host }) =>
      new GitError(
        'unreachable',
        `${host} could not be reached, or broke off. Check that it is up, and try again later.`,
      ),
  },
];

function refusedAccess({ host, hasCredential, remote }: Told): GitError {
  if (hasCredential) {
    return new GitError(
      'credential-refused',
      `${host} does not accept the stored credential for this repository. Replace it, and make sure that it can read the repository.`,
    );
  }
  const what = remote.kind === 'web' ? 'a token or password' : 'an SSH key';
  return new GitError(
    'credential-needed',
    `This repository on ${host} needs a credential. Store ${what} for ${host} and choose it for this source.`,
  );
}

function notFound(told: Told): GitError {
  const { host, hasCredential } = told;
  const advice = hasCredential
    ? 'check the address, and that the stored credential can read it'
    : 'check the address; if it is private, store a credential for it';
  return new GitError('repository-not-found', `The repository was not found on ${host}, or it was deleted: ${advice}.`);
}

/** Removes secrets, and user names and passwords in addresses, from a text. */
export function redact(text: string, secrets: readonly string[]): string {
  let redacted = text.replace(/(:\/\/)[^/\s@]+@/g, '$1');
  for (const secret of secrets) if (secret.length > 2) redacted = redacted.replaceAll(secret, '…');
  return redacted;
}

function lastLine(text: string): string {
  const lines = text.split('\n').map((line) => line.replace(/^(?:fatal|error|remote):\s*/i, '').trim());
  return nameLine(lines.findLast((line) => line !== '') ?? '')
    .replace(/\.$/, '')
    .slice(0, 300);
}
