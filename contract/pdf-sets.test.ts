import { describe, expect, test } from 'vitest';
import { displayedStatus, pdfPartPath, pdfSetEndpoints, pdfSetStatuses } from './pdf-sets.ts';

describe('PDF sets', () => {
  test('each status has a display status, and an unknown status is shown as unknown', () => {
    expect([...pdfSetStatuses, 'vanished', ''].map((status) => [status, displayedStatus(status)])).toEqual([
      ['not indexed', 'pending'],
      ['queued', 'running'],
      ['indexing', 'running'],
      ['indexed', 'complete'],
      ['failed', 'failed'],
      ['vanished', 'unknown'],
      ['', 'unknown'],
    ]);
  });

  test('the path of a part contains its upload and offset', () => {
    expect(pdfPartPath('a/b', 8_388_608)).toBe('/api/pdf-uploads/a%2Fb/parts?offset=8388608');
  });

  test('the name of a set must not be blank', () => {
    const { input } = pdfSetEndpoints.createPdfSet;
    expect(input.safeParse({ displayName: '  ' }).success).toBe(false);
    expect(input.parse({ displayName: ' Manuals ' })).toEqual({ displayName: 'Manuals' });
  });
});
