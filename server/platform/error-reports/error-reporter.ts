/**
 * Destination of error reports: a file in the data folder, or additionally a service that supports the Sentry protocol.
 */
export type ErrorReportsConfig =
  | { kind: 'local'; file: string }
  | { kind: 'sentry'; file: string; dsn: string; hasPersonalData: boolean };

/** The context in which an error occurred. */
export interface FaultPlace {
  from: 'server' | 'browser';
  requestId: string;
  /** Without the query, which may contain people's text. */
  path: string;
  /** The signed-in user. Sent to a service only if personal data is switched on. */
  person?: { userId: string; email: string | null } | undefined;
}

export interface Fault {
  name: string;
  message: string;
  stack: string;
}

/** An error, ready to be stored or sent. Its texts contain no secrets. */
export interface ErrorReport extends Fault, FaultPlace {
  /** 32 hexadecimal digits. */
  id: string;
  /** Epoch milliseconds. */
  at: number;
}

/** Records errors. Nothing here throws or delays the caller. */
export interface ErrorReporter {
  report(fault: unknown, place: FaultPlace): void;
  /** Waits for reports in progress. */
  close(): Promise<void>;
}

/** A destination for reports. */
export interface ErrorSink {
  put(report: ErrorReport): Promise<void>;
}
