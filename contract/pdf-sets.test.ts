import { describe, expect, test } from 'vitest';
import { displayedStatus, pdfPartPath, pdfSetEndpoints, pdfSetStatuses } from './pdf-sets.ts';

describe('PDF sets as they are shown', () => {
  test('each status has its word, and one that is not known says so', () => {
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

  test('a part goes to its upload, at its offset', () => {
    expect(pdfPartPath('a/b', 8_388_608)).toBe('/api/pdf-uploads/a%2Fb/parts?offset=8388608');
  });

  test('a set has a name that is not blank', () => {
    const { input } = pdfSetEndpoints.createPdfSet;
    expect(input.safeParse({ displayName: '  ' }).success).toBe(false);
    expect(input.parse({ displayName: ' Manuals ' })).toEqual({ displayName: 'Manuals' });
  });
});
