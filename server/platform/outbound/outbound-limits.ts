export interface OutboundLimits {
  /** Bytes of a body, counted as received and again after decompression. */
  bytesMax: number;
  /** From the first byte sent to the last received, redirects included. */
  timeoutMs: number;
  connectTimeoutMs: number;
  headersTimeoutMs: number;
  /** Longest silence in the middle of a body. */
  idleTimeoutMs: number;
  headerBytesMax: number;
  redirectsMax: number;
  connectionsPerOriginMax: number;
}

/** A page of 10 MB is no page; a server that needs 10 s to begin or 30 s to end is treated as down. */
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
