import { parentPort, workerData } from 'node:worker_threads';
import { SegmentFormatError } from '#server/engine/index.ts';
import { BlobError, openBlobs } from '#server/platform/blobs/index.ts';
import { buildSegment } from './build-segment.ts';
import type { BuildAnswer, BuildTask, BuildThreadData } from './build-task.ts';

if (!parentPort) throw new Error('The build worker is started by the segment builds.');
const port = parentPort;
const blobs = await openBlobs((workerData as BuildThreadData).blobConfig);
const say = (answer: BuildAnswer) => port.postMessage(answer);

async function answerTo(task: BuildTask): Promise<BuildAnswer> {
  try {
    return { kind: 'built', result: await buildSegment(blobs, task, () => say({ kind: 'alive' })) };
  } catch (error) {
    if (error instanceof BlobError) return { kind: 'blob-failed', code: error.code, message: error.message };
    if (error instanceof SegmentFormatError) return { kind: 'base-damaged', message: error.message };
    return { kind: 'failed', detail: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

port.on('message', (task: BuildTask) => {
  say({ kind: 'alive' });
  void answerTo(task).then(say);
});
