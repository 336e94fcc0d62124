import * as limits from '#contract/limits.ts';

/** Names of this computer in a redirect address; `localhost` is discouraged (RFC 8252, 8.3), but clients use it. */
const loopbackNames = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** Schemes that browsers or desktops handle themselves: no application can own them, and some run code. */
const foreignSchemes = new Set(
  (
    'about android-app blob brave chrome chrome-extension chrome-search content data devtools edge feed file filesystem ' +
    'ftp ftps geo gopher help http https imap intent irc jar javascript ldap livescript mailto market mhtml mk ' +
    'moz-extension news nfs nntp opera rdp res resource search search-ms sftp shell sip sips skype sms smb ssh steam ' +
    'tel telnet vbscript view-source vivaldi webcal ws wss wyciwyg'
  ).split(' '),
);
/** Families of such schemes on Windows and macOS, which grow with each release: ms-msdt has run programs. */
const foreignFamilies = /^(ms-|microsoft|itms|x-apple|applescript|facetime|onenote)/;

export interface RedirectDescription {
  kind: 'site' | 'this-computer' | 'app';
  /** The host, or an app's scheme. */
  target: string;
}

/**
 * Describes where a redirect address leads; undefined if it is not allowed: only https, plain http on this computer,
 * and private schemes of applications (RFC 8252); no fragment, no user name.
 */
export function describeRedirect(address: string): RedirectDescription | undefined {
  const url = URL.parse(address);
  if (url === null || address.length > limits.clientRedirectCharactersMax || !isPlain(address)) return undefined;
  if (address.includes('#') || url.username !== '' || url.password !== '') return undefined;
  if (url.protocol === 'https:' && !loopbackNames.has(url.hostname)) return { kind: 'site', target: url.host };
  if (isLoopback(url)) return { kind: 'this-computer', target: url.host };
  const scheme = url.protocol.slice(0, -1);
  if (url.protocol === 'http:' || isForeign(scheme) || !/^[a-z][a-z0-9+.-]{1,60}$/.test(scheme)) return undefined;
  return { kind: 'app', target: scheme };
}

function isForeign(scheme: string): boolean {
  return foreignSchemes.has(scheme) || foreignFamilies.test(scheme);
}

/**
 * Returns true if an application registered this address. The text must be equal except for the port on this computer,
 * which a program only learns when it starts (RFC 8252, 7.3).
 */
export function isNamedRedirect(address: string, named: readonly string[]): boolean {
  if (describeRedirect(address) === undefined) return false;
  return named.some((candidate) => candidate === address || isSameButPort(candidate, address));
}

function isSameButPort(named: string, address: string): boolean {
  const [left, right] = [URL.parse(named), URL.parse(address)];
  if (left === null || right === null || !isLoopback(left) || !isLoopback(right)) return false;
  left.port = '';
  right.port = '';
  return left.href === right.href;
}

function isLoopback(url: URL): boolean {
  return (url.protocol === 'http:' || url.protocol === 'https:') && loopbackNames.has(url.hostname);
}

/** Returns true for printable ASCII without special characters, which could make one address look like another. */
function isPlain(address: string): boolean {
  return /^[\x21-\x7e]+$/.test(address) && !/[\\<>"`{}|^]/.test(address);
}
