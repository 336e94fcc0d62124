/** Bits of the number shared between a thread and the thread that may end it. */
export const guardBits = {
  /** Set while the thread runs a compression or decompression. */
  inside: 1,
  /** Set when the thread will be ended, and must not start another. */
  ending: 2,
} as const;
