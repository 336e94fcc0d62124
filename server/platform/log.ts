import pino from 'pino';

export type LogLevel = 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';
export type Logger = pino.Logger;

/** Receives log lines in place of standard error. */
export interface LogDestination {
  write(line: string): void;
}

/**
 * Creates a logger that writes JSON lines synchronously, so that the last line before a crash is not lost. Secrets are
 * removed anywhere in the finished line: see `redactSecrets`.
 */
export function createLogger(level: LogLevel, destination: LogDestination | 'stdout' | 'stderr' = 'stderr'): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: redactSecrets },
    },
    typeof destination === 'object'
      ? destination
      : pino.destination({ fd: destination === 'stdout' ? 1 : 2, sync: true }),
  );
}

const redacted = '[redacted]';
// Names of parameters and fields whose values are always secret.
const secretWord = '(?:api[-_]?key|token|secret|password|passwd|signature|credential|authorization|cookie)';
const secretName = `[a-z_-]*${secretWord}`;
const secretField = new RegExp(`${secretWord}":`, 'i');
// Each with a cheap test for text the pattern requires: most lines fail it, which saves most of the time.
const secretPatterns: { mark: string | RegExp; pattern: RegExp; replacement: string }[] = [
  { mark: 'lec_', pattern: /\blec_[0-9A-Za-z]+/g, replacement: `lec_${redacted}` },
  { mark: /lc[ar]_|lid_/, pattern: /\b(lc[ar]_|lid_)[\w-]+/g, replacement: `$1${redacted}` },
  // Keys of the payment provider and the code host.
  {
    mark: /_(?:live|test|pat)_|whsec_|gh[oprsu]_/,
    pattern: /\b([rs]k_(?:live|test)_|whsec_|gh[oprsu]_|github_pat_)\w+/g,
    replacement: `$1${redacted}`,
  },
  { mark: /bearer|basic/i, pattern: /\b(Bearer|Basic)\s+[^\s"'\\,]+/gi, replacement: `$1 ${redacted}` },
  {
    mark: '=',
    pattern: new RegExp(`([?&#](?:${secretName}|key|(?:oob)?code|sig|state)=)[^&#\\s"'\\\\<>]+`, 'gi'),
    replacement: `$1${redacted}`,
  },
  // Links from mails, whose path contains the code for access, also where a link is a parameter.
  {
    mark: /(?:accept|sign-in)(?:\/|%2f)/i,
    pattern: /((?:\/|%2f)(?:accept|sign-in)(?:\/|%2f))[^\s"'\\<>/?&#:)]+/gi,
    replacement: `$1${redacted}`,
  },
  { mark: '@', pattern: /(:\/\/)[^\s/"'\\@]+@/g, replacement: `$1${redacted}@` },
  {
    mark: '@',
    pattern: /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu,
    replacement: redacted,
  },
  {
    mark: secretField,
    pattern: new RegExp(`("${secretName}":)\\[(?:"(?:[^"\\\\]|\\\\.)*"|[^"\\]])*\\]`, 'gi'),
    replacement: `$1"${redacted}"`,
  },
  {
    mark: secretField,
    pattern: new RegExp(`("${secretName}":)"(?:[^"\\\\]|\\\\.)*"`, 'gi'),
    replacement: `$1"${redacted}"`,
  },
];

/**
 * Removes secrets from a text: API keys and tokens of this product and its partners, email addresses, credentials of an
 * Authorization header, values of parameters and fields with a telling name, user and password of an address. JSON
 * stays valid.
 */
export function redactSecrets(text: string): string {
  return secretPatterns.reduce((line, { mark, pattern, replacement }) => {
    const isMarked = typeof mark === 'string' ? line.includes(mark) : mark.test(line);
    return isMarked ? line.replace(pattern, replacement) : line;
  }, text);
}
