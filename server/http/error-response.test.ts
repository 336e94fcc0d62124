import { expect, test } from 'vitest';
import { DatabaseError } from '#server/platform/db/database-error.ts';
import { createLogger } from '#server/platform/log.ts';
import { toErrorResponse } from './error-response.ts';

async function answered(thrown: unknown) {
  const lines: string[] = [];
  const response = toErrorResponse(thrown, 'r1', createLogger('info', { write: (line) => void lines.push(line) }));
  return { status: response.status, lines, line: JSON.parse(lines[0] ?? '{}') as Record<string, unknown> };
}

test('a storage fault that affects every request is logged in a short line with its cause', async () => {
  const refused = new Error('connect ECONNREFUSED 127.0.0.1:5432');
  const { status, lines, line } = await answered(new DatabaseError('unreachable', 'no database', { cause: refused }));
  expect(status).toBe(503);
  expect(line).toMatchObject({ level: 'error', code: 'storage-unreachable', requestId: 'r1', msg: 'request failed' });
  expect(line['why']).toMatch(/: no database: connect ECONNREFUSED 127\.0\.0\.1:5432$/);
  expect(lines[0]?.length).toBeLessThan(500);
  expect(lines[0]).not.toContain('error-response.test');
});

test('a program fault is logged in full', async () => {
  const { status, line } = await answered(new TypeError('no such thing'));
  expect(status).toBe(500);
  expect(line['err']).toMatchObject({
    message: 'no such thing',
    stack: expect.stringContaining('error-response.test'),
  });
});
