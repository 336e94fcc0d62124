import { expect, test } from 'vitest';
import { createMetrics } from './metrics.ts';

test('a scrape shows the current queue and omits it while the database does not respond', async () => {
  const metrics = createMetrics({ version: '1.0.0', roles: ['web'] });
  let waitSeconds: number | undefined = 900;
  let isHanging = false;
  const queue = async () => {
    if (isHanging) return new Promise<never>(() => undefined);
    if (waitSeconds === undefined) throw new Error('the database does not answer');
    return { waiting: 2, running: 1, oldestWaitSeconds: waitSeconds };
  };
  metrics.readFrom({ queue, parts: () => [] });
  const scraped = async () => (await metrics.text()).body.match(/^lectern_(?:runs|oldest).*$/gm);
  const of = (seconds: number) => [
    `lectern_oldest_waiting_run_seconds ${seconds}`,
    'lectern_runs{state="waiting"} 2',
    'lectern_runs{state="running"} 1',
  ];
  expect(await scraped()).toEqual(of(900));
  waitSeconds = 915;
  expect(await scraped()).toEqual(of(915));
  waitSeconds = undefined;
  expect(await scraped()).toBeNull();
  isHanging = true;
  expect(await scraped()).toBeNull();
  [isHanging, waitSeconds] = [false, 930];
  expect(await scraped()).toEqual(of(930));
});
