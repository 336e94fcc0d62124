import '#server/platform/threads/guard-compression.ts';
import { parentPort, workerData } from 'node:worker_threads';
import { SegmentFormatError } from '#server/engine/index.ts';
import { BlobError, openBlobs } from '#server/platform/blobs/index.ts';
import { buildSegment } from './build-segment.ts';
import type { BuildAnswer, BuildMessage, BuildTask, BuildThreadData } from './build-task.ts';
import { PreparedPages } from './prepared-pages.ts';

if (!parentPort) throw new Error('The build worker is started by the segment builds.');
const port = parentPort;
const { blobConfig, failPoint } = workerData as BuildThreadData;
const blobs = await openBlobs(blobConfig, { failPoint });
const prepared = new PreparedPages();
const say = (answer: BuildAnswer) => port.postMessage(answer);

async function answerTo(task: BuildTask): Promise<BuildAnswer> {
  try {
    return { kind: 'built', result: await buildSegment(blobs, task, () => say({ kind: 'alive' }), prepared) };
  } catch (error) {
    if (error instanceof BlobError) return { kind: 'blob-failed', code: error.code, message: error.message };
    if (error instanceof SegmentFormatError) return { kind: 'base-damaged', message: error.message };
    return { kind: 'failed', detail: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

async function obey(message: BuildMessage): Promise<void> {
  if (message.kind === 'prepare') return prepared.prepare(blobs, message.chunkKey);
  if (message.kind === 'forget') return prepared.forget(message.chunkKeys);
  say(await answerTo(message.task));
}

// Messages are handled in order, so preparation is done before the build starts.
let last: Promise<void> = Promise.resolve();
port.on('message', (message: BuildMessage) => {
  if (message.kind === 'build') say({ kind: 'alive' });
  last = last.then(() => obey(message));
});
