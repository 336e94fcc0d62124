import { QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { createQueryClient } from './query-client.ts';

test.each([
  ['hosting', 2],
  ['search', 1],
])('%s, marked as outdated during its first read, is read %i times', async (name, reads) => {
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
