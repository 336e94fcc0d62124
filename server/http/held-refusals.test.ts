import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { createSettableClock } from '#test/services/settable-clock.ts';
import { heldRefusals } from './held-refusals.ts';

async function openHeld() {
  const clock = createSettableClock();
  const app = new Hono();
  app.use(heldRefusals((ms) => clock.sleep(ms)));
  app.get('/refused', (c) => c.body(null, 429, { 'retry-after': '1' }));
  app.get('/', (c) => c.body(null));
  const outcomes: string[] = [];
  const ask = async (path: string, count = 1) => {
    for (let at = 0; at < count; at += 1) void Promise.resolve(app.request(path)).then(() => outcomes.push(path));
    await new Promise((resolve) => setTimeout(resolve, 50));
    return outcomes.splice(0).length;
  };
  return { clock, ask };
}

test('a refused caller is delayed, so that immediate retries take no time from others', async () => {
  const { clock, ask } = await openHeld();
  expect(await ask('/refused', 3)).toBe(0);
  expect(await ask('/')).toBe(1);
  clock.advance(400);
  expect(await ask('/', 0)).toBe(3);
});

test('refusals beyond the limit of delayed ones are sent immediately', async () => {
  const { ask } = await openHeld();
  expect(await ask('/refused', 1_005)).toBe(5);
});
