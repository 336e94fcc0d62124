import { expect, test } from 'vitest';
import { z } from 'zod';
import { parseInput } from '#server/features/call.ts';

const schema = z.object({
  title: z.string().min(1).max(1_200),
  code: z.string().min(4).optional(),
  seeds: z.array(z.string()).max(2).default([]),
  share: z.number().positive().optional(),
  limit: z.coerce.number().int().min(1).max(20_000).optional(),
  kind: z.enum(['site', 'git']).optional(),
  people: z.array(z.union([z.string(), z.object({ email: z.string(), role: z.enum(['admin', 'reader']) })])).optional(),
  isOn: z.boolean().optional(),
  count: z.int().optional(),
  email: z.email().optional(),
  address: z.url().optional(),
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
  [{ title: 'x', limit: 0 }, 'limit must be at least 1'],
  [{ title: 'x', limit: 20_001 }, 'limit must be at most 20,000'],
  [{ title: 'x', kind: 'ftp' }, 'kind must be one of site, git'],
  [{ title: 'x', people: ['a', { email: 'b', role: 'owner' }] }, 'people.1.role must be one of admin, reader'],
  [{ title: 'x', people: [{ role: 'admin' }] }, 'people.0.email is missing'],
  [{ title: 'x', people: [4] }, 'people.0 has none of the forms that it may have'],
  [{ title: 'x', isOn: 'yes' }, 'isOn must be true or false'],
  [{ title: 'x', count: 1.5 }, 'count must be a whole number'],
  [{ title: 'x', email: 'nobody' }, 'email must be an e-mail address'],
  [{ title: 'x', address: 'here' }, 'address must be a whole address, such as https://example.com/docs'],
  [{ title: 'x', people: 'a' }, 'people must be a list'],
  [{ title: 'x', name: 'A' }, 'name: lower-case letters'],
  [{ title: 'x', share: 0 }, 'share must be more than 0'],
  [{ title: 4 }, 'title must be text'],
])('%j is refused in words for people', (input, reason) => {
  expect(() => parseInput(schema, input)).toThrow(`The request is not valid: ${reason}.`);
});
