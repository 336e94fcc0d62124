import { AsyncLocalStorage } from 'node:async_hooks';

/** What is known of the request that is being answered, for its line in the log. */
export interface RequestRecord {
  requestId: string;
  /** Network address it came from. */
  address?: string | undefined;
  /** Who sent it, by id; undefined until that is known, and for visitors. */
  who?: string | undefined;
  /** Whose account it was sent for. */
  userId?: string | undefined;
  /** Code of the refusal or fault it was answered with. */
  code?: string | undefined;
}

const records = new AsyncLocalStorage<RequestRecord>();

/** Does the work of one request. */
export function withRequestRecord<T>(record: RequestRecord, work: () => T): T {
  return records.run(record, work);
}

/** The request that is being answered here; undefined outside of one. */
export function currentRequest(): RequestRecord | undefined {
  return records.getStore();
}
