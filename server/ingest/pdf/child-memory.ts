import { readFileSync } from 'node:fs';

const pageBytes = 4096;

/** Resident memory of another process in bytes; undefined where the system does not tell (it does on Linux). */
export function residentBytesOf(processId: number): number | undefined {
  try {
    const resident = readFileSync(`/proc/${processId}/statm`, 'latin1').split(' ')[1];
    return resident === undefined ? undefined : Number(resident) * pageBytes;
  } catch (error) {
    // Another system, or the process has just ended.
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}
