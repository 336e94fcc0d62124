export interface OutboundLimits {
  /** Most bytes of a body, counted as received and again after decompression. */
  bytesMax: number;
  /** From the first byte sent to the last received, including redirects. */
  timeoutMs: number;
  connectTimeoutMs: number;
  headersTimeoutMs: number;
  /** Longest silence within a body. */
  idleTimeoutMs: number;
  headerBytesMax: number;
  redirectsMax: number;
  connectionsPerOriginMax: number;
}

/** No page has more than 10 MB; a server that takes 10 s to start or 30 s to finish a response counts as down. */
export const outboundLimits: OutboundLimits = {
  bytesMax: 10_000_000,
  timeoutMs: 30_000,
  connectTimeoutMs: 10_000,
  headersTimeoutMs: 10_000,
  idleTimeoutMs: 10_000,
  headerBytesMax: 32 * 1024,
  redirectsMax: 10,
  connectionsPerOriginMax: 16,
};
