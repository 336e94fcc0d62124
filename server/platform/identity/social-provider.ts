import { z } from 'zod';

/** The picture address from a provider, if browsers may load it; an invalid one does not fail the sign-in. */
export const pictureAddress = z
  .url({ protocol: /^https$/ })
  .max(2_000)
  .optional()
  .catch(undefined);

/** A provider's data about the person who signed in. */
export interface SocialProfile {
  /** The account id at the provider; never changes. */
  subject: string;
  /** The provider's spelling; undefined if it names no address. */
  email: string | undefined;
  /**
   * True if the provider guarantees that the address belongs to the person now. A past verification is not enough,
   * because addresses get new owners.
   */
  isEmailVerified: boolean;
  displayName: string;
  photoUrl: string | undefined;
}

/** The secrets of one sign-in attempt; stored in the browser that started it. */
export interface SocialSecrets {
  state: string;
  codeVerifier: string;
  nonce: string;
}

/**
 * Returns an account id that is unique across issuers: the same number at another server of the same kind is another
 * person.
 */
export function subjectAt(url: string, usualUrl: string, id: string): string {
  return url === usualUrl ? id : `${url} ${id}`;
}

/** Returns true if `subjectAt` created this id for that address. */
export function isSubjectAt(url: string, usualUrl: string, subject: string): boolean {
  return url === usualUrl ? !/^https?:/.test(subject) : subject.startsWith(`${url} `);
}

/** A provider that authenticates people: OAuth 2.0 with PKCE, or OpenID Connect. */
export interface SocialProvider {
  /** Returns the address to send the browser to. */
  authorizationUrl(redirectUri: string, secrets: SocialSecrets): Promise<string>;
  /** Exchanges the query from the browser's return for a profile. Throws SocialSignInError. */
  identify(query: URLSearchParams, redirectUri: string, secrets: SocialSecrets): Promise<SocialProfile>;
}

/** A service at which anyone can have an account. */
export interface ServiceProvider extends SocialProvider {
  /** Returns true if a stored identity is from this server. */
  issued(subject: string): boolean;
}

/** An OAuth application registered at a provider. */
export interface SocialClient {
  clientId: string;
  clientSecret: string;
  /** Address of the provider, without a trailing slash. */
  url: string;
}

/**
 * `cancelled`: the person declined; `unreachable`: the provider did not respond; `refused`: its response does not prove
 * anything. The message is for the log.
 */
export class SocialSignInError extends Error {
  override readonly name = 'SocialSignInError';
  readonly reason: 'cancelled' | 'unreachable' | 'refused';

  constructor(reason: SocialSignInError['reason'], message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.reason = reason;
  }
}
