import { createLogger, type Logger } from '#server/platform/log.ts';

/** A logger that says nothing. */
export const silentLog: Logger = createLogger('silent');
