import { expect, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import type { PdfFile, PdfSet, PdfUpload } from '#contract/pdf-sets.ts';
import { ApiError, offlineError } from '../../lib/api-error.ts';
import { UploadQueue } from './upload-queue.ts';
import type { UploadTransport } from './upload-transport.ts';

const part = limits.pdfPartBytes;

const file = (name: string, size: number) => ({
  ...{ name, size, lastModified: 1 },
  slice: (from = 0, to = size) => ({ size: to - from }) as Blob,
});

/** Returns a queue on a server that keeps the received parts and fails as `fault` says. */
function openServer(fault: (call: string, count: number) => Error | undefined = () => undefined) {
  const calls: string[] = [];
  const sizes = new Map<string, number>();
  const offsets = new Map<string, number>();
  const uploadOf = (uploadId: string): PdfUpload => ({
    ...{ uploadId, setId: 's', fileName: uploadId, sizeBytes: sizes.get(uploadId) ?? 0 },
    ...{ offset: offsets.get(uploadId) ?? 0, expiresAt: 0 },
  });
  const answer = async <Answer>(call: string, work: () => Answer): Promise<Answer> => {
    calls.push(call);
    const error = fault(call, calls.filter((other) => other === call).length);
    if (error) throw error;
    return work();
  };
  const set = { setId: 's' } as PdfSet;
  const transport: UploadTransport = {
    begin: (_setId, { name, size }) =>
      answer(`begin ${name}`, () => {
        sizes.set(name, size);
        offsets.set(name, 0);
        return uploadOf(name);
      }),
    stand: (uploadId) => answer(`stand ${uploadId}`, () => uploadOf(uploadId)),
    sendPart: ({ uploadId, offset, bytes, signal }) =>
      answer(`part ${uploadId} ${offset}`, () => {
        signal.throwIfAborted();
        offsets.set(uploadId, offset + bytes.size);
        return uploadOf(uploadId);
      }),
    complete: (uploadId) => answer(`complete ${uploadId}`, () => ({ set, file: {} as PdfFile })),
    abandon: (uploadId) => answer(`abandon ${uploadId}`, () => undefined),
    index: (setId) => answer(`index ${setId}`, () => set),
  };
  const waits: number[] = [];
  const queue = new UploadQueue({
    transport,
    wait: async (ms) => void waits.push(ms),
    onSet: () => undefined,
  });
  const states = () => queue.list().map(({ name, state }) => `${name} ${state}`);
  return { queue, calls, waits, states };
}

test('a file is sent in parts, and the set is indexed once after the last file', async () => {
  const { queue, calls, states } = openServer();
  queue.add('s', 'individual', [
    { file: file('a.pdf', part + 1) },
    { file: file('b.pdf', 5) },
    { file: file('c.pdf', 5) },
  ]);
  await expect.poll(states).toEqual(['a.pdf done', 'b.pdf done', 'c.pdf done']);
  expect(calls.filter((call) => call.startsWith('part a'))).toEqual(['part a.pdf 0', `part a.pdf ${part}`]);
  await expect.poll(() => calls.filter((call) => call === 'index s').length).toBe(1);
  expect(calls.at(-1)).toBe('index s');
});

test('after a lost connection, an upload continues from the offset of the server', async () => {
  const lost = `part a.pdf ${part}`;
  const { queue, calls, waits, states } = openServer((call, count) =>
    call === lost && count < 3 ? offlineError() : undefined,
  );
  queue.add('s', 'individual', [{ file: file('a.pdf', part * 2) }]);
  await expect.poll(states).toEqual(['a.pdf done']);
  expect(calls.filter((call) => call === 'begin a.pdf')).toHaveLength(1);
  expect(calls.filter((call) => call === 'part a.pdf 0')).toHaveLength(1);
  expect(calls.filter((call) => call === 'stand a.pdf')).toHaveLength(2);
  expect(waits).toEqual([1_000, 2_000]);
});

test('a rejected file fails until the user retries and does not block other files', async () => {
  let isRefusing = true;
  const { queue, states } = openServer((call) =>
    isRefusing && call === 'complete a.pdf' ? new ApiError('pdf-file-refused', 'a.pdf is no PDF') : undefined,
  );
  queue.add('s', 'individual', [{ file: file('a.pdf', 5) }, { file: file('b.pdf', 5) }]);
  await expect.poll(states).toEqual(['a.pdf failed', 'b.pdf done']);
  expect(queue.list()[0]?.error).toBe('a.pdf is no PDF');
  isRefusing = false;
  queue.resume(queue.list()[0]?.id ?? 0);
  await expect.poll(states).toEqual(['a.pdf done', 'b.pdf done']);
});

test('a set is indexed once even if its last file was rejected', async () => {
  const refused = openServer((call) => {
    return call === 'complete b.pdf' ? new ApiError('pdf-file-refused', 'b.pdf is no PDF') : undefined;
  });
  refused.queue.add('s', 'individual', [{ file: file('a.pdf', 5) }, { file: file('b.pdf', part * 2) }]);
  await expect.poll(refused.states).toEqual(['a.pdf done', 'b.pdf failed']);
  await expect.poll(() => refused.calls.at(-1)).toBe('index s');
  await refused.queue.remove(refused.queue.list()[1]?.id ?? 0);
  expect(refused.calls.filter((call) => call === 'index s')).toHaveLength(1);
});

test('a paused upload sends nothing and resumes where it stopped', async () => {
  const { queue, calls, states } = openServer();
  const stop = queue.subscribe(() => {
    const [first] = queue.list();
    if (first?.state === 'sending' && first.sentBytes === part) {
      stop();
      queue.pause(first.id);
    }
  });
  queue.add('s', 'individual', [{ file: file('a.pdf', part * 3) }]);
  await expect.poll(states).toEqual(['a.pdf paused']);
  const sent = calls.length;
  await Promise.resolve();
  expect(calls).toHaveLength(sent);
  queue.resume(queue.list()[0]?.id ?? 0);
  await expect.poll(states).toEqual(['a.pdf done']);
  expect(calls.filter((call) => call === 'part a.pdf 0')).toHaveLength(1);
});

test('an upload that the server no longer knows starts again', async () => {
  const { queue, calls, states } = openServer((call) =>
    call === 'stand old' ? new ApiError('upload-not-found', 'gone') : undefined,
  );
  queue.add('s', 'individual', [{ file: file('a.pdf', 5), uploadId: 'old' }]);
  await expect.poll(states).toEqual(['a.pdf done']);
  expect(calls.slice(0, 2)).toEqual(['stand old', 'begin a.pdf']);
});

test('removing an upload abandons it on the server too', async () => {
  const { queue, calls } = openServer(() => undefined);
  const stop = queue.subscribe(() => {
    const [first] = queue.list();
    if (first?.state !== 'sending') return;
    stop();
    void queue.remove(first.id);
  });
  queue.add('s', 'individual', [{ file: file('a.pdf', part * 2) }]);
  await expect.poll(() => calls).toContain('abandon a.pdf');
  expect(queue.list()).toEqual([]);
  expect(calls).not.toContain('complete a.pdf');
});
