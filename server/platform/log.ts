import pino from 'pino';

export type LogLevel = 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';
export type Logger = pino.Logger;

/** Where lines go when not to standard error. */
export interface LogDestination {
  write(line: string): void;
}

/**
 * Logs JSON lines to standard error, or where told, at once, so that the last line before a crash is there. Secrets are taken out of
 * the finished line, wherever in it they stand: see `redactSecrets`.
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
// Names of parameters and fields whose value is a secret, whatever it looks like.
const secretName = '[a-z_-]*(?:api[-_]?key|token|secret|password|passwd|signature|credential|authorization|cookie)';
const secretPatterns: [RegExp, string][] = [
  [/\blec_[0-9A-Za-z]+/g, `lec_${redacted}`],
  [/\b(lc[ar]_|lid_)[\w-]+/g, `$1${redacted}`],
  // Of the payment provider and the code host.
  [/\b([rs]k_(?:live|test)_|whsec_|gh[oprsu]_|github_pat_)\w+/g, `$1${redacted}`],
  [/\b(Bearer|Basic)\s+[^\s"'\\,]+/gi, `$1 ${redacted}`],
  [new RegExp(`([?&#](?:${secretName}|key|(?:oob)?code|sig|state)=)[^&#\\s"'\\\\<>]+`, 'gi'), `$1${redacted}`],
  [/([a-z][a-z0-9+.-]*:\/\/)[^\s/"'\\@]+@/gi, `$1${redacted}@`],
  [/(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu, redacted],
  [new RegExp(`("${secretName}":)\\[[^\\]]*\\]`, 'gi'), `$1"${redacted}"`],
  [new RegExp(`("${secretName}":)"(?:[^"\\\\]|\\\\.)*"`, 'gi'), `$1"${redacted}"`],
];

/**
 * Takes secrets out of a text: API keys and tokens of this product and its partners, e-mail addresses, credentials of an
 * Authorization header, values of parameters and fields with a telling name, user and password of an address. JSON stays
 * valid JSON.
 */
export function redactSecrets(text: string): string {
  return secretPatterns.reduce((line, [pattern, replacement]) => line.replace(pattern, replacement), text);
}
