import { AsyncLocalStorage } from 'node:async_hooks';

/** Data about the current request for its log line. */
export interface RequestRecord {
  requestId: string;
  /** Network address of the sender. */
  address?: string | undefined;
  /** Id of the sender; undefined for visitors and until the sender is identified. */
  who?: string | undefined;
  /** The account on whose behalf the request was sent. */
  userId?: string | undefined;
  /** Error code of the response. */
  code?: string | undefined;
}

const records = new AsyncLocalStorage<RequestRecord>();

/** Runs the work of one request. */
export function withRequestRecord<T>(record: RequestRecord, work: () => T): T {
  return records.run(record, work);
}

/** Returns the current request's record; undefined outside of a request. */
export function currentRequest(): RequestRecord | undefined {
  return records.getStore();
}
