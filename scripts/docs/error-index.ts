import { errorTable } from '../../contract/errors.ts';
import type { DocsSource } from './sources.ts';

/** Returns the page that lists all error codes. */
export function errorIndex(): DocsSource {
  const rows = Object.entries(errorTable)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, { status, sentence }]) => `| [\`${code}\`](/docs/errors/${code}) | ${status} | ${inCell(sentence)} |`);
  return {
    path: '/docs/errors',
    section: 'errors',
    sourcePath: 'contract/errors.ts',
    isGenerated: true,
    markdown: [
      '# All errors',
      '',
      'Every error has a stable code, an HTTP status and a message. Values in braces are filled in.',
      'The [REST reference](/docs/reference/rest#errors) shows the form of an error response.',
      '',
      '| code | status | message |',
      '|---|---|---|',
      ...rows,
      '',
    ].join('\n'),
  };
}

/** Escapes text for use in a table cell. */
export function inCell(text: string): string {
  return text
    .replaceAll('|', '\\|')
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('{', '\\{')
    .replaceAll('<', '\\<');
}
