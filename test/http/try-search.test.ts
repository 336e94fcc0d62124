import { expect, onTestFinished, test } from 'vitest';
import { libraryEndpoints } from '#contract/library.ts';
import * as limits from '#contract/limits.ts';
import { searchEndpoints } from '#contract/search.ts';
import { trySearchEndpoints } from '#contract/try-search.ts';
import { startSampleSite } from '../library/sample-site.ts';
import { until } from '../services/until.ts';
import { type HttpRig, openHttpRig, refusalOf } from './http-rig.ts';

const { trySearch, getShowcase } = trySearchEndpoints;
const own = { 'x-lectern-csrf': '1', 'content-type': 'application/json' };

async function index(rig: HttpRig, source: string, moduleId: string, visibility: 'public' | 'private') {
  const { job } = await rig.ask(libraryEndpoints.startIndexJob, { source, moduleId, visibility });
  await until('the run has ended', async () => {
    return (await rig.ask(libraryEndpoints.getJob, { jobId: job.id })).job.endTime !== null;
  });
}

test('visitors try the public index over HTTP; private documentation stays hidden, and errors explain the cause', async () => {
  const [open, hidden] = [await startSampleSite(3), await startSampleSite(3)];
  onTestFinished(() => open.close());
  onTestFinished(() => hidden.close());
  hidden.pages.set('page1', 'The quagga is private');
  open.pages.set('page1', 'The quagga is public');
  const rig = await openHttpRig({ LECTERN_ALLOW_HOSTS: `${open.host},${hidden.host}` });
  expect(await rig.ask(getShowcase, {}, rig.visitor)).toMatchObject({ moduleCount: 0, example: null });
  await index(rig, open.url, 'open', 'public');
  await index(rig, hidden.url, 'hidden', 'private');

  for (const sender of [own, { ...own, ...rig.operator }]) {
    const found = await rig.ask(trySearch, { query: 'quagga' }, sender);
    expect(found.results.map(({ url }) => url)).toEqual([`${open.url}page1.html`]);
    expect(found.text).not.toContain('private');
    expect(await rig.ask(getShowcase, {}, sender)).toMatchObject({ moduleCount: 1, modules: [{ moduleId: 'open' }] });
  }
  expect(await rig.refusal(trySearch, { query: '  ' }, own)).toMatchObject({ status: 400, code: 'query-empty' });
  expect(await rig.refusal(trySearch, {}, own)).toMatchObject({ status: 400, code: 'invalid-input' });
  expect(await rig.refusal(trySearch, { query: 7 }, own)).toMatchObject({ status: 400, code: 'invalid-input' });
  const long = { query: 'x'.repeat(limits.queryCharactersMax + 1) };
  expect(await rig.refusal(trySearch, long, own)).toMatchObject({ status: 400, code: 'query-too-long' });
  const notJson = await rig.send('/api/try-search', { method: 'POST', headers: own, body: 'quagga' });
  expect(await refusalOf(notJson)).toMatchObject({ status: 400, code: 'invalid-input' });

  const ask = () => rig.send('/api/try-search', { method: 'POST', headers: own, body: '{"query":"quagga"}' });
  const answers = await Promise.all(Array.from({ length: 41 }, ask));
  const refused = answers.find(({ status }) => status === 429);
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(refused && (await refusalOf(refused))).toMatchObject({ code: 'rate-limited' });
  // Agents' calls cannot bypass it.
  const key = (await rig.createKey()).sender;
  for (const path of [
    `${searchEndpoints.search.path}?query=quagga`,
    `${searchEndpoints.search.path}?query=quagga&isDraft=true`,
    `${searchEndpoints.read.path}?url=${encodeURIComponent(`${open.url}page1.html`)}`,
  ]) {
    expect((await rig.send(path)).status).toBe(429);
    if (!path.includes('isDraft')) expect((await rig.send(path, { headers: key })).status).toBe(200);
  }
});
