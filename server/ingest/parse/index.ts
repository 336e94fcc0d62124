export { ParseError } from './parse-error.ts';
export type { ParsedPage } from './parse-page.ts';
export { createParsePool, type ParsePool } from './parse-pool.ts';
