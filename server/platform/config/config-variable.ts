import type { z } from 'zod';

/** One environment variable: what it is for, in one sentence, and how its text is read. */
export interface Variable<T> {
  about: string;
  /** Reads the text; undefined means that the variable is not set. */
  type: z.ZodType<T, string | undefined>;
  /** What stands in `.env.example`, where it is not the default. */
  example: string;
}
