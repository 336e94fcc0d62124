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

/** The site as a whole cannot be crawled (further). `message` is one or two sentences for people, with the next step. */
export class CrawlError extends CodedError<CrawlErrorCode> {
  override readonly name = 'CrawlError';
  /** The address where following would make sense instead, or the one that failed. */
  readonly url: string;
  /** Epoch milliseconds before which the host asked not to be contacted again. */
  readonly retryAt: number | undefined;

  constructor(code: CrawlErrorCode, url: string, message: string, options: { cause?: unknown; retryAt?: number } = {}) {
    super(code, message, options.cause === undefined ? undefined : { cause: options.cause });
    this.url = url;
    this.retryAt = options.retryAt;
  }
}

/** The site-level form of a request that failed at the start address. */
export function startFailure(error: OutboundError): CrawlError {
  const { url, message } = error;
  switch (error.code) {
    case 'address-refused':
      return new CrawlError('address-refused', url, message, { cause: error });
    case 'bad-url':
    case 'insecure-redirect':
      return new CrawlError('bad-address', url, message, { cause: error });
    case 'redirect-loop':
    case 'too-many-redirects':
      return new CrawlError('redirect-loop', url, message, { cause: error });
    case 'too-large':
      return new CrawlError('start-unusable', url, `${message} Begin from another page of the site.`, { cause: error });
    case 'decode-failed':
      return new CrawlError('start-unusable', url, message, { cause: error });
    case 'name-not-found':
    case 'unreachable':
    case 'timeout':
    case 'tls-error':
    case 'bad-response':
    case 'aborted':
      return new CrawlError('host-unreachable', url, message, { cause: error });
  }
}

const statusAdvice: Record<number, string> = {
  401: 'It wants a sign-in: give this source a credential, or a new one in place of one that is not taken there.',
  403: 'It refuses us: ask its owner, or give this source a credential that may read it.',
  404: 'Page not found: check the address.',
  410: 'The page was removed: look for where it moved.',
  429: 'It asks for fewer requests: try again later.',
};

/** The start address answered with an HTTP error. */
export function startStatusFailure(url: string, status: number): CrawlError {
  const advice =
    statusAdvice[status] ?? (status >= 500 ? 'The server is in trouble: try again later.' : 'Check the address.');
  return new CrawlError('start-refused', url, `${url} answered with status ${status}. ${advice}`);
}
