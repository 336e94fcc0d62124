import { CodedError } from '#server/platform/coded-error.ts';
import type { OutboundError } from '#server/platform/outbound/index.ts';

export type CrawlErrorCode =
  | 'bad-address'
  | 'address-refused'
  | 'host-unreachable'
  | 'start-refused'
  | 'robots-refused'
  | 'robots-unreachable'
  | 'crawl-delay-too-long'
  | 'rate-limited'
  | 'wrong-content-type'
  | 'start-unusable'
  | 'empty-site'
  | 'redirect-out-of-scope'
  | 'redirect-loop'
  | 'host-failing';

/**
 * Thrown when a site cannot be crawled at all or any further. `message` is one or two sentences for people, with the
 * next step.
 */
export class CrawlError extends CodedError<CrawlErrorCode> {
  override readonly name = 'CrawlError';
  /** The failed address, or the one to crawl instead. */
  readonly url: string;
  /** Epoch milliseconds before which the host asked not to be contacted again. */
  readonly retryAt: number | undefined;

  constructor(code: CrawlErrorCode, url: string, message: string, options: { cause?: unknown; retryAt?: number } = {}) {
    super(code, message, options.cause === undefined ? undefined : { cause: options.cause });
    this.url = url;
    this.retryAt = options.retryAt;
  }
}

/** Error codes for a failed request to the start address. */
const startFaults: Record<OutboundError['code'], CrawlErrorCode> = {
  'address-refused': 'address-refused',
  'bad-url': 'bad-address',
  'insecure-redirect': 'bad-address',
  'redirect-loop': 'redirect-loop',
  'too-many-redirects': 'redirect-loop',
  'too-large': 'start-unusable',
  'decode-failed': 'start-unusable',
  'name-not-found': 'host-unreachable',
  unreachable: 'host-unreachable',
  timeout: 'host-unreachable',
  'tls-error': 'host-unreachable',
  'bad-response': 'host-unreachable',
  aborted: 'host-unreachable',
};

/** Creates the error for a failed request to the start address. */
export function startFailure(error: OutboundError): CrawlError {
  const { code, url, message } = error;
  const advice = code === 'too-large' ? ' Start from another page of the site.' : '';
  return new CrawlError(startFaults[code], url, message + advice, { cause: error });
}

const statusAdvice: Record<number, string> = {
  401: 'It requires sign-in: give this source a credential, or replace the one that it does not accept.',
  403: 'It denies access: ask its owner, or give this source a credential that can read it.',
  404: 'Page not found: check the address.',
  410: 'The page was removed: check whether it has moved.',
  429: 'It asks for fewer requests: try again later.',
};

/** Creates the error for an HTTP error at the start address. */
export function startStatusFailure(url: string, status: number): CrawlError {
  const advice =
    statusAdvice[status] ?? (status >= 500 ? 'The site has a problem: try again later.' : 'Check the address.');
  return new CrawlError('start-refused', url, `${url} answered with status ${status}. ${advice}`);
}
