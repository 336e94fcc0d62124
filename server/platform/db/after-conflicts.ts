import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseError } from './database-error.ts';

const attemptsMax = 8;

/** Runs work until it loses no conflict with other writers, up to eight times. A lost attempt must leave nothing. */
export async function afterConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseError(error, 'conflict') || attempts >= attemptsMax) throw error;
    }
    await delay(2 ** attempts * (1 + Math.random()));
  }
}
