import { expect, test } from 'vitest';
import { closeScope } from './close-scope.ts';

test('everything is closed in reverse order, and the first error is thrown', async () => {
  const closed: string[] = [];
  const scope = new AsyncDisposableStack();
  const open = (name: string, fault?: string) =>
    scope.defer(async () => {
      closed.push(name);
      if (fault !== undefined) throw new Error(fault);
    });
  open('database', 'database away');
  open('bus');
  open('mailer', 'mailer away');
  open('search');
  await expect(closeScope(scope)).rejects.toThrow(/^mailer away$/);
  expect(closed).toEqual(['search', 'mailer', 'bus', 'database']);
  await closeScope(scope);
});
