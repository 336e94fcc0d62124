export { ParseError, type ParseErrorCode } from './parse-error.ts';
export type { ParsedPage, ParseInput } from './parse-page.ts';
export { createParsePool, type ParsePool, type ParsePoolOptions } from './parse-pool.ts';
