import { z } from 'zod';

/** The picture a provider names, if browsers may be sent there; a sign-in does not fail because of it. */
export const pictureAddress = z
  .url({ protocol: /^https$/ })
  .max(2_000)
  .optional()
  .catch(undefined);

/** What a provider says about the person who signed in there. */
export interface SocialProfile {
  /** The account's id at the provider; never changes. */
  subject: string;
  /** As the provider writes it; undefined when it names none. */
  email: string | undefined;
  /**
   * Whether the provider answers for that address being the person's now. That it was verified there once is not enough: addresses get
   * other owners.
   */
  isEmailVerified: boolean;
  displayName: string;
  photoUrl: string | undefined;
}

/** What one attempt at signing in is bound to; kept in the browser that began it. */
export interface SocialSecrets {
  state: string;
  codeVerifier: string;
  nonce: string;
}

/** An account's id among those of all issuers: the same number at another server of the same kind is another person. */
export function subjectAt(url: string, usualUrl: string, id: string): string {
  return url === usualUrl ? id : `${url} ${id}`;
}

/** Returns true if `subjectAt` made this id for that address. */
export function isSubjectAt(url: string, usualUrl: string, subject: string): boolean {
  return url === usualUrl ? !/^https?:/.test(subject) : subject.startsWith(`${url} `);
}

/** A place where people can prove who they are: OAuth 2.0 with PKCE, or OpenID Connect. */
export interface SocialProvider {
  /** Where the browser is sent. */
  authorizationUrl(redirectUri: string, secrets: SocialSecrets): Promise<string>;
  /** Turns the query the browser came back with into a profile. Throws SocialSignInError. */
  identify(query: URLSearchParams, redirectUri: string, secrets: SocialSecrets): Promise<SocialProfile>;
}

/** A service that anyone may have an account at. */
export interface ServiceProvider extends SocialProvider {
  /** Returns true if a stored identity is of this server. */
  issued(subject: string): boolean;
}

/** An OAuth application registered at a provider. */
export interface SocialClient {
  clientId: string;
  clientSecret: string;
  /** Address of the provider, without a slash at the end. */
  url: string;
}

/**
 * `cancelled`: the person said no; `unreachable`: the provider gave no answer; `refused`: what it answered does not
 * prove anything. The message is for the log.
 */
export class SocialSignInError extends Error {
  override readonly name = 'SocialSignInError';
  readonly reason: 'cancelled' | 'unreachable' | 'refused';

  constructor(reason: SocialSignInError['reason'], message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.reason = reason;
  }
}
