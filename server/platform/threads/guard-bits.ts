/** Of the number that a thread shares with the one that may end it. */
export const guardBits = {
  /** The thread is in a compression or decompression. */
  inside: 1,
  /** The thread will be ended, and begins none any more. */
  ending: 2,
} as const;
