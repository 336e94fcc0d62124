import * as limits from '#contract/limits.ts';

/** Names of this computer in a redirect address; `localhost` is not advised (RFC 8252, 8.3) but is what clients send. */
const loopbackNames = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** Schemes that a browser or a desktop handles itself: no application can own them, and some of them run code. */
const foreignSchemes = new Set(
  (
    'about android-app blob brave chrome chrome-extension chrome-search content data devtools edge feed file filesystem ' +
    'ftp ftps geo gopher help http https imap intent irc jar javascript ldap livescript mailto market mhtml mk ' +
    'moz-extension news nfs nntp opera rdp res resource search search-ms sftp shell sip sips skype sms smb ssh steam ' +
    'tel telnet vbscript view-source vivaldi webcal ws wss wyciwyg'
  ).split(' '),
);
/** Families of such schemes of Windows and macOS, which grow with each release: ms-msdt has run programs. */
const foreignFamilies = /^(ms-|microsoft|itms|x-apple|applescript|facetime|onenote)/;

export interface RedirectDescription {
  kind: 'site' | 'this-computer' | 'app';
  /** Host, or the scheme of an app. */
  target: string;
}

/**
 * Where a redirect address leads, or undefined when none may be sent there: only https, plain http on this computer,
 * and schemes that an application has to itself (RFC 8252); no fragment, no user name.
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
 * Returns true if an address is one of those an application named. They must be the same text, except for the port on this
 * computer, which a program is given only when it starts (RFC 8252, 7.3).
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

/** Printable ASCII alone: what looks like one address and is read as another is made of something else. */
function isPlain(address: string): boolean {
  return /^[\x21-\x7e]+$/.test(address) && !/[\\<>"`{}|^]/.test(address);
}
