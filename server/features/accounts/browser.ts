/** The browser at the other end of a call, as far as sessions and rate limits need to know it. */
export interface Browser {
  /** Network address that the call came from. */
  address: string;
  userAgent: string;
  /** The session it has now, which a sign-in replaces. */
  sessionToken: string | undefined;
}

/** A caller in the same process, where there is no browser. */
export const noBrowser: Browser = { address: '', userAgent: '', sessionToken: undefined };
