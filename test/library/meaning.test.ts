import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { libraryEndpoints } from '#contract/library.ts';
import { makePassageVectors, PassageVectors } from '#server/features/catalog/index.ts';
import { createSearch } from '#server/features/search/index.ts';
import { createMeaning } from '#server/features/search/meaning.ts';
import { openEmbeddingModel } from '#server/platform/embeddings/open-embedding-model.ts';
import { createOutbound } from '#server/platform/outbound/index.ts';
import { openHttpRig } from '../http/http-rig.ts';
import { startCuttableProxy } from '../services/cuttable-proxy.ts';
import { startEmbeddingServer } from '../services/embedding-model.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { until } from '../services/until.ts';
import { openRig } from './rig.ts';
import { startSampleSite } from './sample-site.ts';

const question = 'how to undo a change';
const wordsAlone = 'Ranked by words alone: the embedding model cannot be used now';

/** Makes a section long enough to become a separate passage. */
const filler = (subject: string) =>
  `The ${subject} stands in the room beside the garden when the bell rings. `.repeat(24);

/** A page whose first section contains the query's words but another topic; the answer contains none of the words. */
const handbook = [
  '# Handbook',
  `## Words\n\nTo undo a change: the port, the kettle, the teapot, sorted lists. ${filler('shelf')}`,
  ...['Tins', 'Jars', 'Cups'].map((subject) => `## ${subject}\n\nEach change of ${subject}. ${filler(subject)}`),
  `## History\n\nMove the branch to the revision before it, and take back what was recorded. ${filler('book')}`,
].join('\n\n');

async function openIndexed() {
  const server = await startEmbeddingServer();
  onTestFinished(() => server.stop());
  const outbound = createOutbound({ allowHosts: [new URL(server.url).host], userAgent: 'Test/1' });
  onTestFinished(() => outbound.close());
  const folder = join(temporaryFolder(), 'guide');
  await mkdir(folder);
  await writeFile(join(folder, 'handbook.md'), handbook);
  const rig = await openRig();
  expect(await rig.index(folder)).toMatchObject({ status: 'COMPLETE' });
  const model = openEmbeddingModel({ url: server.url, model: 'loopback', key: undefined }, outbound);
  const passages = new PassageVectors(rig.blobs, model.id);
  onTestFinished(() => passages.close());
  return { rig, server, model, passages };
}

test('passages with vectors are ranked by meaning, and passages without vectors by words', async () => {
  const { rig, server, model, passages } = await openIndexed();
  const firstOf = async (search: ReturnType<typeof createSearch>) => {
    const { results, text } = await search.searchDocs(rig.ctx, { query: question, budget: 400 }, undefined);
    const best = results.toSorted((a, b) => b.score - a.score)[0];
    return { heading: best?.headingPath.at(-1), text };
  };
  const byWords = await firstOf(createSearch({ shelf: rig.shelf }));
  expect(byWords).toMatchObject({ heading: 'Words' });
  let now = 0;
  const meaning = createMeaning(model, passages, () => now);
  const search = createSearch({ shelf: rig.shelf, meaning });
  expect(await firstOf(search)).toEqual(byWords);

  await makePassageVectors(rig.ctx, { blobs: rig.blobs, model });
  const fresh = new PassageVectors(rig.blobs, model.id);
  onTestFinished(() => fresh.close());
  const withVectors = createSearch({ shelf: rig.shelf, meaning: createMeaning(model, fresh, () => now) });
  const byMeaning = await firstOf(withVectors);
  expect(byMeaning).toMatchObject({ heading: 'History' });
  expect(byMeaning.text).not.toContain(wordsAlone);
  const asked = server.asked.length;
  expect(await firstOf(withVectors)).toEqual(byMeaning);
  expect(server.asked.length).toBe(asked);

  // On a new query, an unreachable service is logged in one line and not contacted for a while.
  server.answer = () => ({ status: 503, body: '' });
  const query = `${question} again`;
  const askNew = async () => (await withVectors.searchDocs(rig.ctx, { query }, undefined)).text;
  expect(await askNew()).toContain(wordsAlone);
  server.answer = undefined;
  const before = server.asked.length;
  expect(await askNew()).toContain(wordsAlone);
  expect(server.asked.length).toBe(before);
  now += 60_000;
  expect(await askNew()).not.toContain(wordsAlone);
});

test('a model that cannot distinguish texts is not used', async () => {
  const { rig, server, model, passages } = await openIndexed();
  const same = { embedding: [1, 0, 0, 0, 0, 0, 0, 0] };
  server.answer = (texts) => ({
    status: 200,
    body: JSON.stringify({ data: texts.map((_, index) => ({ index, ...same })) }),
  });
  const search = createSearch({ shelf: rig.shelf, meaning: createMeaning(model, passages) });
  expect((await search.searchDocs(rig.ctx, { query: question }, undefined)).text).toContain(wordsAlone);
});

test('a server makes vectors of indexed passages, and searches work while the model is unreachable', {
  timeout: 180_000,
}, async () => {
  const [site, program] = [await startSampleSite(4), await startEmbeddingServer()];
  onTestFinished(async () => {
    await program.stop();
    await site.close();
  });
  const model = await startCuttableProxy(Number(new URL(program.url).port));
  const address = program.url.replace(/:\d+\//, `:${model.port}/`);
  const rig = await openHttpRig({
    ...{ LECTERN_ALLOW_HOSTS: site.host, LECTERN_PARSE_WORKERS: '1' },
    ...{ ...program.environment, LECTERN_EMBEDDINGS_URL: address },
  });
  const input = { source: site.url, moduleId: 'sample', visibility: 'public' as const };
  const { job } = await rig.ask(libraryEndpoints.startIndexJob, input);
  const status = async () => (await rig.ask(libraryEndpoints.getJob, { jobId: job.id })).job.status;
  await until('the site is indexed', async () => (await status()) === 'COMPLETE', 60_000);
  await until(
    'passages were sent',
    () => program.asked.flat().some((said) => said.includes('Original text 1')),
    90_000,
  );
  expect(new Set(program.keys)).toEqual(new Set([`Bearer ${program.environment['LECTERN_EMBEDDINGS_KEY']}`]));
  const textFor = async (query: string) => {
    const answer = await rig.send(`/api/search?query=${encodeURIComponent(query)}`);
    return ((await answer.json()) as { text: string }).text;
  };
  const whole = await textFor('original text page1');
  expect(whole).toContain('Original text 1');
  expect(whole).not.toContain(wordsAlone);
  model.become('refusing');
  const without = await textFor('original text page2');
  expect(without).toContain('Original text 2');
  expect(without).toContain(wordsAlone);
});
