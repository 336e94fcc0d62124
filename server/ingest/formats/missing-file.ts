import { codeSpan } from './code-span.ts';

/** What stands where a text includes a file that was not found. */
export function missingFile(path: string): string {
  return `Included file: ${codeSpan(path)}`;
}
