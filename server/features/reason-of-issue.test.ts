import { expect, test } from 'vitest';
import { z } from 'zod';
import { callables } from '#contract/callables.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { endpointGroups } from '#contract/reference.ts';
import { parseInput } from '#server/features/call.ts';
import { reasonOf } from './reason-of-issue.ts';

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
  [{ title: 'x', people: [4] }, 'people.0 matches none of the allowed forms'],
  [{ title: 'x', isOn: 'yes' }, 'isOn must be true or false'],
  [{ title: 'x', count: 1.5 }, 'count must be a whole number'],
  [{ title: 'x', email: 'nobody' }, 'email must be an email address'],
  [{ title: 'x', address: 'here' }, 'address must be a full address, such as https://example.com/docs'],
  [{ title: 'x', people: 'a' }, 'people must be a list'],
  [{ title: 'x', name: 'A' }, 'name: lower-case letters'],
  [{ title: 'x', share: 0 }, 'share must be more than 0'],
  [{ title: 4 }, 'title must be text'],
])('%j is refused with a readable message', (input, reason) => {
  expect(() => parseInput(schema, input)).toThrow(`The request is not valid: ${reason}.`);
});

/** Words of the schema library that must not be shown to users. */
const leaks =
  /Invalid (?:input|option|string|element|key|UUID|ISO)|expected \w+|received |Too (?:big|small)|Unrecognized|\bNaN\b|Must match|pattern|in another format/;
const odd = [
  null,
  5,
  -1,
  1.5,
  1e12,
  '',
  'x',
  'x'.repeat(30_000),
  [],
  [null],
  [{}],
  {},
  { a: 1 },
  true,
  '\u0000',
  'not-a-date',
];

test('no call shows the messages of the schema library', () => {
  const told: string[] = [];
  const schemas = [
    ...endpointGroups.flatMap(({ endpoints }) =>
      Object.entries(endpoints as Record<string, Endpoint>).map(([name, { input }]) => [name, input] as const),
    ),
    ...Object.values(callables).map(({ name, input }) => [name, input] as const),
  ];
  for (const [name, input] of schemas) {
    const fields = Object.keys((input as z.ZodObject).shape ?? {});
    const inputs = [...odd, ...fields.flatMap((field) => odd.map((value) => ({ [field]: value })))];
    for (const value of inputs) {
      const result = input.safeParse(value);
      // Every issue can be the first one of another input.
      for (const issue of result.error?.issues ?? []) {
        const reason = reasonOf({ issues: [issue] } as z.ZodError);
        if (leaks.test(reason)) told.push(`${name}: ${reason}`);
      }
    }
  }
  expect([...new Set(told)]).toEqual([]);
});
