/** Error codes of RFC 6749, 7009, 7591 and 8707 that the OAuth endpoints return. */
export type OauthFaultCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_target'
  | 'unsupported_grant_type'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'temporarily_unavailable';

/** An error for an application. `message` is for its developers: printable ASCII, no secrets. */
export class OauthFault extends Error {
  override readonly name = 'OauthFault';
  readonly code: OauthFaultCode;
  /** Seconds after which a retry may succeed. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: OauthFaultCode, message: string, options: { retryAfterSeconds?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
