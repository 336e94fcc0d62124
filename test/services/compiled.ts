import { fileURLToPath } from 'node:url';

/** Where `./lectern` keeps compiled code too: a process that is started again is ready with half the work. */
export const compiledFolder =
  process.env['NODE_COMPILE_CACHE'] ?? fileURLToPath(new URL('../../.cache/compiled', import.meta.url));
