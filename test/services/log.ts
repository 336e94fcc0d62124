import { createLogger, type Logger } from '#server/platform/log.ts';

/** A logger that writes nothing. */
export const silentLog: Logger = createLogger('silent');
