/**
 * Notifies the processes of an installation of changes. A message reaches every connected listener of its topic,
 * including the sender's, in each sender's order, at least once (a broken connection may repeat some). It is a hint to
 * look, never the only record.
 */
export interface Bus {
  /** Returns at once and never throws. Must be called only after the reported change is committed. */
  publish(topic: string, payload: string): void;
  /**
   * Adds a listener. It runs later, in the context in which it was added; its errors are logged. Returns the function
   * that unsubscribes.
   */
  subscribe(topic: string, listener: (payload: string) => void): () => void;
  /**
   * Calls `listener` if messages may have been missed: treat everything as changed. Returns the function that
   * unsubscribes.
   */
  onGap(listener: () => void): () => void;
  /** Sends pending messages if possible, and closes the connection. */
  close(): Promise<void>;
}
