/**
 * Tells the processes of an installation that something changed. A message reaches every listener of its topic that
 * is connected, those of the sender included, in the order one sender sent them, at least once (a broken connection
 * may repeat some). It is a hint to look, never the only record.
 */
export interface Bus {
  /** Returns at once and never throws. Do not call it before the change it reports is committed. */
  publish(topic: string, payload: string): void;
  /** Listeners run later, in the context they were added in; what one throws is logged. Returns the way to stop. */
  subscribe(topic: string, listener: (payload: string) => void): () => void;
  /** Called when messages may have been missed: take everything as changed. Returns the way to stop. */
  onGap(listener: () => void): () => void;
  /** Sends what is still to be sent, if it can, and ends the connection. */
  close(): Promise<void>;
}
