import { expect, test } from 'vitest';
import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import type { Context } from '#server/context.ts';
import { noBrowser } from './call.ts';
import { bind, feature, hook, serve } from './feature.ts';

const ctx = {} as unknown as Context;
const greetings = {
  greet: endpoint('GET /api/greetings/:name', {
    summary: 'Greets a person.',
    input: z.object({ name: z.string().min(1) }),
    output: z.object({ text: z.string() }),
  }),
};

test('a feature exposes its verbs, and its endpoints respond with their handlers', async () => {
  const verbs = bind('Hello', {
    greet: async (_ctx: Context, { name }: { name: string }, word: string) => `${word}, ${name}`,
  });
  const opened = feature({
    name: 'greetings',
    verbs,
    endpoints: serve(greetings, { greet: async (one, input) => ({ text: await verbs.greet(one, input) }) }),
  });
  expect(opened).toMatchObject({ name: 'greetings', scheduledJobs: [], personalData: {} });
  expect(await opened.greet(ctx, { name: 'Anna' })).toBe('Hello, Anna');
  const [call] = opened.endpoints;
  const effects = { browser: noBrowser, setSession: () => undefined, setDevice: () => undefined };
  expect(await call?.run(ctx, { name: 'Bert' }, effects)).toEqual({ text: 'Hello, Bert' });
  expect(() => call?.run(ctx, { name: '' }, effects)).toThrow(expect.objectContaining({ code: 'invalid-input' }));
  // @ts-expect-error a handler is missing
  expect(serve(greetings, {})).toHaveLength(1);
  // @ts-expect-error misspelt
  feature({ name: 'greetings', verbs, endpoint: [] });
});

test('handlers of a hook run in order, those added with first() before others, until one throws', async () => {
  const deleted = hook<[userId: string]>();
  const ran: string[] = [];
  deleted.on(async (userId) => ran.push(`ledger of ${userId}`));
  deleted.on(async () => ran.push('index'));
  deleted.first(async (userId) => ran.push(`billing of ${userId}`));
  await deleted('anna');
  expect(ran).toEqual(['billing of anna', 'ledger of anna', 'index']);
  deleted.first(() => Promise.reject(new Error('last admin')));
  await expect(deleted('bert')).rejects.toThrow('last admin');
  expect(ran).toHaveLength(3);
});
