import { type FileHandle, open } from 'node:fs/promises';
import { DatabaseError } from './database-error.ts';
import { translateSqliteError } from './sqlite-errors.ts';

/**
 * Brings SQLite's write-ahead log to the disk without holding up the thread that commits. Those who wait at the same time
 * share one sync, so that a slow disk holds no more than one of the few threads for files.
 */
export class LogSync {
  readonly #file: string;
  #handle: FileHandle | undefined;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  /** The log is the file beside the database that ends in `-wal`; it is there from the first write on. */
  constructor(databaseFile: string) {
    this.#file = databaseFile;
  }

  /** Resolves once all that was committed before this call would outlive a loss of power; rejects with DatabaseError. */
  reached(): Promise<void> {
    // The sync in progress may have begun before the commit: only the one after it is certain to have it.
    this.#next ??= this.#syncAfter(this.#running);
    return this.#next;
  }

  async close(): Promise<void> {
    await Promise.allSettled([this.#running, this.#next]);
    await this.#handle?.close();
    this.#handle = undefined;
  }

  async #syncAfter(running: Promise<void>): Promise<void> {
    await running.catch(() => undefined);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#running = promise;
    this.#next = undefined;
    try {
      // Writable, which Windows asks for.
      this.#handle ??= await open(`${this.#file}-wal`, 'r+');
      await this.#handle.datasync();
    } catch (cause) {
      throw faultOf(cause, this.#file);
    } finally {
      resolve();
    }
  }
}

function faultOf(cause: unknown, file: string): unknown {
  const code = (cause as NodeJS.ErrnoException).code;
  if (code !== 'ENOSPC' && code !== 'EDQUOT') {
    const sentence = `What was written to the database ${file} could not be brought to the disk. See whether the disk is damaged.`;
    return new DatabaseError('failed', sentence, { cause });
  }
  const full = Object.assign(new Error('disk full', { cause }), { errcode: 13 });
  return translateSqliteError(full, file);
}
