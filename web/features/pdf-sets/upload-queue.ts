import * as limits from '#contract/limits.ts';
import type { PdfSet } from '#contract/pdf-sets.ts';
import { ApiError, sentenceForPeople } from '../../lib/api-error.ts';
import type { SendableFile, UploadTransport } from './upload-transport.ts';

/**
 * `interrupted`: the connection was lost, and is retried automatically. `failed`: only the user can retry. `paused`:
 * the user has paused it; uploaded bytes stay on the server for a day.
 */
export type UploadState = 'waiting' | 'sending' | 'interrupted' | 'paused' | 'finishing' | 'failed' | 'done';

export interface FileUpload {
  id: number;
  setId: string;
  workspace: string;
  name: string;
  sizeBytes: number;
  sentBytes: number;
  state: UploadState;
  /** Why it failed or is waiting. */
  error: string | undefined;
  /** Set once the server has created the upload. */
  uploadId: string | undefined;
}

interface Job extends FileUpload {
  file: SendableFile;
  stop: AbortController | undefined;
  tries: number;
}

interface QueueOptions {
  transport: UploadTransport;
  /** Resolves after this many milliseconds, or as soon as the connection is back. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Called whenever a response contains an updated set. */
  onSet: (set: PdfSet, workspace: string) => void;
}

const atOnce = 2;
const triesMax = 8;
const pauseMs = { first: 1_000, longest: 30_000 };

/** Uploads of this page. They continue while the user is on another screen. */
export class UploadQueue {
  readonly #options: QueueOptions;
  readonly #listeners = new Set<() => void>();
  #jobs: Job[] = [];
  #shown: FileUpload[] = [];
  #nextId = 1;
  /** Sets with uploaded files that are not being indexed yet. */
  #toIndex = new Set<string>();

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  /** For `useSyncExternalStore`. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Returns all listed uploads, in the order in which they were added; the same array until something changes. */
  readonly list = (): FileUpload[] => this.#shown;

  /** Adds files to a set. A file that was partly uploaded continues where it stopped. */
  add(setId: string, workspace: string, files: { file: SendableFile; uploadId?: string | undefined }[]): void {
    for (const { file, uploadId } of files) {
      this.#jobs.push({
        ...{ id: this.#nextId++, setId, workspace, file, uploadId },
        ...{ name: file.name, sizeBytes: file.size, sentBytes: 0 },
        ...{ state: 'waiting', error: undefined, stop: undefined, tries: 0 },
      });
    }
    this.#tell();
    this.#fill();
  }

  pause(id: number): void {
    const job = this.#find(id);
    if (job === undefined || !isUnderWay(job)) return;
    this.#change(job, { state: 'paused' });
    job.stop?.abort();
    this.#fill();
  }

  /** Continues an upload that was paused or has failed. */
  resume(id: number): void {
    const job = this.#find(id);
    if (job === undefined || (job.state !== 'paused' && job.state !== 'failed')) return;
    job.tries = 0;
    this.#change(job, { state: 'waiting', error: undefined });
    this.#fill();
  }

  /** Abandons an upload and deletes its uploaded bytes from the server; removes a finished one from the list. */
  async remove(id: number): Promise<void> {
    const job = this.#find(id);
    if (job === undefined) return;
    this.#jobs = this.#jobs.filter((other) => other !== job);
    this.#tell();
    job.stop?.abort();
    this.#fill();
    void this.#indexWhatArrived(job);
    if (job.state !== 'done' && job.uploadId !== undefined) {
      // If this fails, the server deletes it after a day.
      await this.#options.transport.abandon(job.uploadId, job.workspace).catch(() => undefined);
    }
  }

  /** Stops everything, for example at the end of a session. */
  clear(): void {
    const jobs = this.#jobs;
    this.#jobs = [];
    this.#toIndex.clear();
    for (const { stop } of jobs) stop?.abort();
    this.#tell();
  }

  #find(id: number): Job | undefined {
    return this.#jobs.find((job) => job.id === id);
  }

  #change(job: Job, change: Partial<Job>): void {
    Object.assign(job, change);
    this.#tell();
  }

  #tell(): void {
    this.#shown = this.#jobs.map(({ file: _file, stop: _stop, tries: _tries, ...shown }) => ({ ...shown }));
    for (const listener of this.#listeners) listener();
  }

  #fill(): void {
    let running = this.#jobs.filter(({ stop }) => stop !== undefined).length;
    for (const job of this.#jobs) {
      if (running >= atOnce) return;
      if (job.state !== 'waiting' || job.stop !== undefined) continue;
      running += 1;
      void this.#run(job);
    }
  }

  async #run(job: Job): Promise<void> {
    const stop = new AbortController();
    job.stop = stop;
    const isGone = () => stop.signal.aborted || !this.#jobs.includes(job);
    while (!isGone()) {
      try {
        await this.#send(job, stop.signal);
        break;
      } catch (error) {
        if (isGone()) break;
        job.tries += 1;
        if (!isPassing(error) || job.tries >= triesMax) {
          this.#change(job, { state: 'failed', error: sentenceForPeople(error) });
          break;
        }
        this.#change(job, { state: 'interrupted', error: sentenceForPeople(error) });
        const pause = Math.min(pauseMs.first * 2 ** (job.tries - 1), pauseMs.longest);
        await this.#options.wait(pause, stop.signal);
      }
    }
    job.stop = undefined;
    this.#fill();
    // A paused upload is expected to continue.
    if (job.state !== 'paused') await this.#indexWhatArrived(job);
  }

  async #send(job: Job, signal: AbortSignal): Promise<void> {
    const { transport, onSet } = this.#options;
    let upload =
      job.uploadId === undefined
        ? await transport.begin(job.setId, job.file, job.workspace)
        : await transport.stand(job.uploadId, job.workspace).catch((error: unknown) => {
            if (!isForgotten(error)) throw error;
            return transport.begin(job.setId, job.file, job.workspace);
          });
    this.#change(job, { uploadId: upload.uploadId, state: 'sending', error: undefined, sentBytes: upload.offset });
    while (upload.offset < job.sizeBytes) {
      signal.throwIfAborted();
      const from = upload.offset;
      upload = await transport.sendPart({
        ...{ uploadId: upload.uploadId, offset: from, workspace: job.workspace, signal },
        bytes: job.file.slice(from, Math.min(from + limits.pdfPartBytes, job.sizeBytes)),
        onProgress: (bytes) => this.#change(job, { sentBytes: Math.min(from + bytes, job.sizeBytes) }),
      });
      // Progress was made, so a lost connection starts a new series of retries.
      job.tries = 0;
      this.#change(job, { sentBytes: upload.offset });
    }
    signal.throwIfAborted();
    this.#change(job, { state: 'finishing' });
    const { set } = await transport.complete(upload.uploadId, job.workspace);
    this.#change(job, { state: 'done', sentBytes: job.sizeBytes });
    this.#toIndex.add(job.setId);
    onSet(set, job.workspace);
  }

  /** Indexes a set once none of its files is being uploaded any more, regardless of how the last one ended. */
  async #indexWhatArrived({ setId, workspace }: Job): Promise<void> {
    const isOnItsWay = this.#jobs.some((other) => other.setId === setId && isUnderWay(other));
    if (isOnItsWay || !this.#toIndex.delete(setId)) return;
    try {
      this.#options.onSet(await this.#options.transport.index(setId, workspace), workspace);
    } catch {
      // The screen shows that files are waiting, with a button to index them.
    }
  }
}

/** Returns true if it continues automatically. */
export function isUnderWay({ state }: Pick<FileUpload, 'state'>): boolean {
  return state === 'waiting' || state === 'sending' || state === 'interrupted' || state === 'finishing';
}

/** Returns true if the same call may succeed a little later. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  if (error.code === 'offline' || error.code === 'upload-out-of-step' || error.code === 'upload-incomplete')
    return true;
  return (error.httpStatus ?? 0) >= 502 || error.code === 'unavailable' || error.code === 'rate-limited';
}

function isForgotten(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'upload-not-found';
}
