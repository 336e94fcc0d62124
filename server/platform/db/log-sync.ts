import { type FileHandle, open } from 'node:fs/promises';
import { DatabaseError } from './database-error.ts';
import { translateSqliteError } from './sqlite-errors.ts';

/**
 * Syncs SQLite's write-ahead log to disk without blocking the committing thread. Concurrent callers share one sync, so
 * that a slow disk occupies only one of the few file threads.
 */
export class LogSync {
  readonly #file: string;
  #handle: FileHandle | undefined;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  /** The log is the database's file name plus `-wal`; it exists from the first write on. */
  constructor(databaseFile: string) {
    this.#file = databaseFile;
  }

  /** Resolves once all earlier commits would survive a power failure; rejects with DatabaseError. */
  reached(): Promise<void> {
    // The running sync may have started before the commit, so only the next one certainly includes it.
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
      // Windows requires write access to sync.
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
    const sentence = `Changes to the database ${file} could not be written to the disk. Check the disk for damage.`;
    return new DatabaseError('failed', sentence, { cause });
  }
  const full = Object.assign(new Error('disk full', { cause }), { errcode: 13 });
  return translateSqliteError(full, file);
}
