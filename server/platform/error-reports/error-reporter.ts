/** Where faults are reported: into a file of the data folder, or to a service that speaks the Sentry protocol as well. */
export type ErrorReportsConfig =
  | { kind: 'local'; file: string }
  | { kind: 'sentry'; file: string; dsn: string; hasPersonalData: boolean };

/** What is known about where a fault happened. */
export interface FaultPlace {
  from: 'server' | 'browser';
  requestId: string;
  /** Without its query, which may hold what people typed. */
  path: string;
  /** Who was signed in. Leaves the machine only when personal data is switched on. */
  person?: { userId: string; email: string | null } | undefined;
}

export interface Fault {
  name: string;
  message: string;
  stack: string;
}

/** One fault, ready to be kept or sent. Its texts hold no secrets. */
export interface ErrorReport extends Fault, FaultPlace {
  /** 32 hexadecimal digits. */
  id: string;
  /** Epoch milliseconds. */
  at: number;
}

/** Takes note of faults. Nothing here throws or keeps the caller waiting. */
export interface ErrorReporter {
  report(fault: unknown, place: FaultPlace): void;
  /** Waits for what is in progress. */
  close(): Promise<void>;
}

/** One place that reports go to. */
export interface ErrorSink {
  put(report: ErrorReport): Promise<void>;
}
