import { CodedError } from '../coded-error.ts';

/** Kinds of failures of an outgoing request. */
export type OutboundErrorCode =
  | 'bad-url'
  | 'address-refused'
  | 'name-not-found'
  | 'unreachable'
  | 'tls-error'
  | 'timeout'
  | 'too-large'
  | 'too-many-redirects'
  | 'redirect-loop'
  | 'insecure-redirect'
  | 'bad-response'
  | 'decode-failed'
  | 'aborted';

/** A request without a usable response. `message` is one sentence for people, with the next step. */
export class OutboundError extends CodedError<OutboundErrorCode> {
  override readonly name = 'OutboundError';
  /** The address that failed, which after redirects is not the requested one. */
  readonly url: string;

  constructor(code: OutboundErrorCode, url: string, message: string, cause?: unknown) {
    super(code, message, cause === undefined ? undefined : { cause });
    this.url = url;
  }

  /** True if the same request may succeed a little later. */
  get isTransient(): boolean {
    return this.code === 'unreachable' || this.code === 'timeout' || this.code === 'bad-response';
  }
}

const tlsCodes =
  /^(ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH_EXCEEDED)/;

const tlsReasons: Record<string, string> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate chain is self-signed',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate chain is incomplete',
};

/** Converts an error of the connection, the parser or a signal to an OutboundError for `url`. */
export function toOutboundError(error: unknown, url: string): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = codeOf(error);
  const host = hostOf(url);
  if (tlsCodes.test(code)) {
    const reason = tlsReasons[code] ?? `the encrypted connection failed (${code})`;
    return new OutboundError(
      'tls-error',
      url,
      `${host} cannot be trusted: ${reason}. Ask its owner to fix the certificate.`,
      error,
    );
  }
  switch (code) {
    case 'ENOTFOUND':
    case 'ENODATA':
    case 'EAI_NONAME':
      return new OutboundError('name-not-found', url, `There is no host named ${host}. Check the spelling.`, error);
    case 'EAI_AGAIN':
    case 'ESERVFAIL':
      return new OutboundError(
        'unreachable',
        url,
        `The name ${host} could not be looked up just now. Try again later.`,
        error,
      );
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
    case 'ETIMEOUT':
      return timeoutError(url, `${host} did not accept a connection in time`, error);
    case 'UND_ERR_HEADERS_TIMEOUT':
      return timeoutError(url, `${host} accepted the request but did not respond in time`, error);
    case 'UND_ERR_BODY_TIMEOUT':
      return timeoutError(url, `${host} stopped sending in the middle of ${url}`, error);
    case 'UND_ERR_HEADERS_OVERFLOW':
    case 'HPE_HEADER_OVERFLOW':
      return new OutboundError('too-large', url, `${host} sent more response headers than are accepted.`, error);
    default:
      if (code.startsWith('HPE_') || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' || code === 'UND_ERR_INVALID_ARG') {
        return new OutboundError(
          'bad-response',
          url,
          `${host} sent an invalid HTTP response for ${url}. Tell its owner, or try again later.`,
          error,
        );
      }
      return new OutboundError(
        'unreachable',
        url,
        `${host} could not be reached (${reasonOf(error, code)}). Check that the server is up and the address is right.`,
        error,
      );
  }
}

export function timeoutError(url: string, what: string, cause?: unknown): OutboundError {
  return new OutboundError('timeout', url, `${what}. Try again later.`, cause);
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  // The parser of undici sets a code only for some of its errors.
  if (error instanceof Error && error.name === 'HTTPParserError') return 'HPE_INVALID';
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return '';
}

function reasonOf(error: unknown, code: string): string {
  if (code === 'ECONNREFUSED') return 'connection refused';
  if (code === 'ECONNRESET' || code === 'UND_ERR_SOCKET') return 'connection closed by the other side';
  return code || (error instanceof Error ? error.message : String(error));
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
