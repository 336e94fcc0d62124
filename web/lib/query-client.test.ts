import { notifyManager, QueryObserver } from '@tanstack/react-query';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createQueryClient, untilShown } from './query-client.ts';

test.each([
  ['hosting', 2],
  ['search', 1],
])('%s, invalidated during its first fetch, is fetched %i times', async (name, reads) => {
  const client = createQueryClient();
  const answers: ((answer: number) => void)[] = [];
  const queryFn = () => new Promise<number>((resolve) => answers.push(resolve));
  const observer = new QueryObserver(client, { queryKey: [name], queryFn });
  const stop = observer.subscribe(() => undefined);
  await expect.poll(() => answers.length).toBe(1);
  void client.invalidateQueries({ queryKey: [name] });
  answers[0]?.(1);
  await expect.poll(() => observer.getCurrentResult().data).toBe(1);
  await expect.poll(() => answers.length).toBe(reads);
  answers[1]?.(2);
  await expect.poll(() => observer.getCurrentResult().data).toBe(reads);
  stop();
});

test('a change waits for the refetch, but only a few seconds if the connection hangs', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let shown = 0;
  const reading = Promise.withResolvers<void>();
  for (const read of [reading.promise, new Promise(() => undefined)]) void untilShown(read).then(() => (shown += 1));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(shown).toBe(0);
  reading.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(shown).toBe(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(shown).toBe(2);
});

test('a failed query keeps its error while it is refetched, unless the queries are reset', async () => {
  const client = createQueryClient();
  const answers: PromiseWithResolvers<number>[] = [];
  const queryFn = () => {
    const answer = Promise.withResolvers<number>();
    answers.push(answer);
    return answer.promise;
  };
  const options = { queryKey: ['teams'], queryFn };
  const observer = new QueryObserver(client, options);
  const seen = () => {
    const { status, fetchStatus } = observer.getCurrentResult();
    return `${status} ${fetchStatus}`;
  };
  const statuses = new Set<string>();
  // Batched, as components are notified.
  onTestFinished(observer.subscribe(notifyManager.batchCalls(() => void statuses.add(seen()))));
  const first = new Error('first');
  answers[0]?.reject(first);
  await expect.poll(seen).toBe('error idle');
  statuses.clear();
  // A second component with the same query mounts later.
  onTestFinished(new QueryObserver(client, options).subscribe(() => undefined));
  await expect.poll(() => [...statuses]).toEqual(['error fetching']);
  expect(observer.getCurrentResult().error).toBe(first);
  answers[1]?.reject(new Error('second'));
  await expect.poll(seen).toBe('error idle');
  void client.resetQueries({ queryKey: ['teams'] });
  await expect.poll(seen).toBe('pending fetching');
  answers[2]?.resolve(1);
  await expect.poll(seen).toBe('success idle');
});
