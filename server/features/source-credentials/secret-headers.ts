import type { SourceSecret } from '#contract/source-credentials.ts';
import { refused } from './credential-origin.ts';

/** Valid header names (RFC 9110, 5.6.2). */
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Headers that frame or control the request itself. */
const ownHeaders =
  /^(?:host|connection|content-.*|transfer-encoding|te|trailer|upgrade|expect|keep-alive|accept-encoding|range|if-.*|proxy-.*|sec-.*)$/i;
/** Valid header values: visible characters, spaces and tabs. */
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Throws for headers that cannot be sent, or that do more than authenticate. */
export function requireUsableSecret(secret: SourceSecret): void {
  switch (secret.kind) {
    case 'header':
      if (!headerName.test(secret.name)) throw refused(`"${secret.name}" is not a header name`);
      if (ownHeaders.test(secret.name)) throw refused(`the header ${secret.name} cannot carry a credential`);
      return requireHeaderValue(secret.value, 'the value');
    case 'cookie':
      if (!secret.value.includes('=')) throw refused('write the cookie as name=value');
      return requireHeaderValue(secret.value, 'the cookie');
    case 'basic':
      if (secret.username.includes(':')) throw refused('a user name holds no colon');
      return;
    case 'token':
      if (secret.username?.includes(':') === true) throw refused('a user name holds no colon');
      return requireHeaderValue(secret.token, 'the token');
    case 'ssh-key':
      if (
        !/^-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----\s[\s\S]+\s-----END [A-Z0-9 ]*PRIVATE KEY-----\s*$/.test(
          secret.privateKey.trim(),
        )
      ) {
        throw refused('this is not a private key; one begins with -----BEGIN OPENSSH PRIVATE KEY-----');
      }
      if (/ENCRYPTED/.test(secret.privateKey))
        throw refused('the key has a passphrase; create one without a passphrase for this host');
  }
}

function requireHeaderValue(value: string, what: string): void {
  if (!headerValue.test(value) || value.trim() === '') {
    throw refused(`${what} contains a line break or another character that a header cannot carry`);
  }
}

/** Returns the HTTP headers with a secret; none for an SSH key. */
export function headersOfSecret(secret: SourceSecret): Record<string, string> {
  switch (secret.kind) {
    case 'header':
      return { [secret.name.toLowerCase()]: secret.value };
    case 'cookie':
      return { cookie: secret.value };
    case 'basic':
      return { authorization: basic(secret.username, secret.password) };
    case 'token':
      // Hosts that ignore the user name accept any; GitHub documents this one.
      return { authorization: basic(secret.username || 'x-access-token', secret.token) };
    case 'ssh-key':
      return {};
  }
}

/** Returns a header value as in RFC 7617, with user name and password in UTF-8. */
function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
}
