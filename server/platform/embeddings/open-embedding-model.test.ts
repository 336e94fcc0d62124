import { expect, onTestFinished, test } from 'vitest';
import { type EmbeddingServer, startEmbeddingServer } from '#test/services/embedding-model.ts';
import { createOutbound } from '../outbound/index.ts';
import { likeness } from './embedding-model.ts';
import { openEmbeddingModel } from './open-embedding-model.ts';
import { testEmbeddingModel } from './test-embedding-model.ts';

const timeoutMs = 10_000;

async function openModel() {
  const server = await startEmbeddingServer();
  onTestFinished(() => server.stop());
  const outbound = createOutbound({ allowHosts: [new URL(server.url).host], userAgent: 'Test/1' });
  onTestFinished(() => outbound.close());
  return { server, model: openEmbeddingModel({ url: server.url, model: 'loopback', key: 'sk-test' }, outbound) };
}

/** Responds with these vectors to every request. */
function answerWith(server: EmbeddingServer, vectors: unknown[]): void {
  const data = vectors.map((embedding, index) => ({ index, embedding }));
  server.answer = () => ({ status: 200, body: JSON.stringify({ data }) });
}

test('texts become vectors of length 1 in the same order, requested with the key', async () => {
  const { server, model } = await openModel();
  const [first, second] = await model.embed(['revert and undo', 'hot water'], { timeoutMs });
  expect(likeness(first ?? expect.fail(), first ?? expect.fail())).toBeCloseTo(1, 5);
  expect(first?.indexOf(Math.max(...(first ?? [])))).toBe(0);
  expect(second?.indexOf(Math.max(...(second ?? [])))).toBe(2);
  expect(server.asked).toEqual([['revert and undo', 'hot water']]);
  expect(server.keys).toEqual(['Bearer sk-test']);
});

const eight = [1, 0, 0, 0, 0, 0, 0, 0];

test.each([
  ['too few', [eight]],
  ['too many', [eight, eight, eight]],
  ['of different lengths', [eight, [...eight, 1]]],
  ['short ones', [[1], [1]]],
  ['empty of direction', [eight, eight.map(() => 0)]],
  ['not numbers', [eight, ['a']]],
])('vectors that are %s cause an error instead of a ranking', async (_, vectors) => {
  const { server, model } = await openModel();
  answerWith(server, vectors);
  await expect(model.embed(['a', 'b'], { timeoutMs })).rejects.toMatchObject({ name: 'EmbeddingError' });
});

test('a service error is reported by its status, without its message', async () => {
  const { server, model } = await openModel();
  server.answer = ([said]) => ({ status: 500, body: `cannot read ${said}` });
  const refused = model.embed(['a private passage'], { timeoutMs });
  await expect(refused).rejects.toThrow(/^the service answered with status 500$/);
  await expect(refused).rejects.toMatchObject({ isRefused: false });
  server.answer = () => ({ status: 413, body: '' });
  await expect(model.embed(['long'], { timeoutMs })).rejects.toMatchObject({ isRefused: true });
  await server.stop();
  await expect(model.embed(['a'], { timeoutMs })).rejects.toThrow(/^the service did not respond: unreachable$/);
});

test('the trial passes for a model that distinguishes texts and fails for one that does not', async () => {
  const { server, model } = await openModel();
  await testEmbeddingModel(model, timeoutMs);
  answerWith(
    server,
    Array.from({ length: 7 }, () => eight),
  );
  await expect(testEmbeddingModel(model, timeoutMs)).rejects.toThrow(/does not tell texts apart/);
});
