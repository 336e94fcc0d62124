import { expect, test } from 'vitest';
import { z } from 'zod';
import { parseInput } from './call-table.ts';

const schema = z.object({
  title: z.string().min(1).max(1_200),
  code: z.string().min(4).optional(),
  seeds: z.array(z.string()).max(2).default([]),
  share: z.number().positive().optional(),
  limit: z.coerce.number().int().min(1).max(20_000).optional(),
  kind: z.enum(['site', 'git']).optional(),
  people: z.array(z.union([z.string(), z.object({ email: z.string(), role: z.enum(['admin', 'reader']) })])).optional(),
  name: z
    .string()
    .regex(/^[a-z]+$/, 'lower-case letters')
    .optional(),
});

test.each([
  [{}, 'title is missing'],
  [{ title: '' }, 'title is empty'],
  [{ title: 'x'.repeat(1_201) }, 'title has more than 1,200 characters'],
  [{ title: 'x', code: 'abc' }, 'code has fewer than 4 characters'],
  [{ title: 'x', seeds: ['a', 'b', 'c'] }, 'seeds has more than 2 entries'],
  [{ title: 'x', limit: 0 }, 'limit has to be at least 1'],
  [{ title: 'x', limit: 20_001 }, 'limit has to be at most 20,000'],
  [{ title: 'x', kind: 'ftp' }, 'kind has to be one of site, git'],
  [{ title: 'x', people: ['a', { email: 'b', role: 'owner' }] }, 'people.1.role has to be one of admin, reader'],
  [{ title: 'x', people: [{ role: 'admin' }] }, 'people.0.email is missing'],
  [{ title: 'x', people: [4] }, 'people.0: Invalid input'],
  [{ title: 'x', name: 'A' }, 'name: lower-case letters'],
  [{ title: 'x', share: 0 }, 'share: Too small: expected number to be >0'],
  [{ title: 4 }, 'title: Invalid input: expected string, received number'],
])('%j is refused in words for people', (input, reason) => {
  expect(() => parseInput(schema, input)).toThrow(`The request is not valid: ${reason}.`);
});
