import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** One account that was deleted. */
export interface Erasure {
  /** A made-up id that says nothing of the person. */
  userId: string;
  /** Epoch milliseconds. */
  at: number;
}

/** Deleted accounts, kept beside the rows: a backup of the rows that is put back does not take this with it. */
export interface ErasureRecord {
  list(): Promise<Erasure[]>;
  add(erasures: Erasure[]): Promise<void>;
}

/** A file of lines in the data folder; only ever added to. A line that a power cut left half is passed over. */
export function erasureRecord(dataFolder: string): ErasureRecord {
  const file = join(dataFolder, 'erasures.jsonl');
  return {
    async list() {
      const text = await readFile(file, 'utf8').catch((error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
        throw error;
      });
      return text.split('\n').flatMap((line) => readErasure(line) ?? []);
    },
    async add(erasures) {
      if (erasures.length === 0) return;
      const lines = erasures.map(({ userId, at }) => `${JSON.stringify({ userId, at })}\n`).join('');
      await appendFile(file, lines, { mode: 0o600 });
    },
  };
}

function readErasure(line: string): Erasure | undefined {
  try {
    const { userId, at } = JSON.parse(line) as Partial<Erasure>;
    return typeof userId === 'string' && typeof at === 'number' ? { userId, at } : undefined;
  } catch {
    return undefined;
  }
}
