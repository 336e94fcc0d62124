import { expect, onTestFinished, test } from 'vitest';
import { documentPath } from '#contract/document-path.ts';
import { documentEndpoints } from '#contract/documents.ts';
import { identityEndpoints } from '#contract/identity.ts';
import { libraryEndpoints } from '#contract/library.ts';
import { searchEndpoints } from '#contract/search.ts';
import type { Context } from '#server/context.ts';
import { createApiKey } from '#server/features/keys/api-keys.ts';
import { startSampleSite } from '../library/sample-site.ts';
import { until } from '../services/until.ts';
import { openHttpRig, type Sender } from './http-rig.ts';

/** Opens a server with an indexed page, and a user with a session, an identity token and a key. */
async function opened() {
  const site = await startSampleSite(2);
  onTestFinished(() => site.close());
  const rig = await openHttpRig({ LECTERN_ALLOW_HOSTS: site.host });
  const { job } = await rig.ask(libraryEndpoints.startIndexJob, { source: site.url, visibility: 'public' });
  await until('the run has ended', async () => {
    return (await rig.ask(libraryEndpoints.getJob, { jobId: job.id })).job.endTime !== null;
  });
  const { query } = rig.running.installation.base.db;
  const body = JSON.stringify({ email: 'anna@docs.example', password: 'correct horse' });
  const response = await rig.send(identityEndpoints.signUpWithEmail.path, { method: 'POST', body });
  const cookie = (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const session: Sender = { cookie, 'x-lectern-csrf': '1' };
  await query.updateTable('users').set({ emailVerifiedAt: 1 }).where('email', '=', 'anna@docs.example').execute();

  const { id } = await query
    .selectFrom('users')
    .select('id')
    .where('email', '=', 'anna@docs.example')
    .executeTakeFirstOrThrow();
  const { base, sealingKeys } = rig.running.installation;
  const anna: Context = {
    ...{ ...base, requestId: 'r' },
    ...{ actor: { kind: 'user', userId: id }, workspace: `user:${id}` },
  };
  const { secret } = await createApiKey(anna, { name: 'k', mayAskToIndex: false }, sealingKeys);
  const { token } = await rig.ask(identityEndpoints.issueIdentityToken, {}, session);
  const balance = async () =>
    (
      await query
        .selectFrom('users')
        .select('credits')
        .where('email', '=', 'anna@docs.example')
        .executeTakeFirstOrThrow()
    ).credits;
  const url = `${site.url}page1.html`;
  const reads: Record<string, (sender: Sender, n: number) => Promise<Response>> = {
    viewer: (headers, n) =>
      rig.send(`${documentEndpoints.showDocument.path}?url=${encodeURIComponent(url)}&query=q${n}&tokens=500`, {
        headers,
      }),
    markdown: (headers, n) =>
      rig.send(`${documentEndpoints.documentMarkdown.path}?url=${encodeURIComponent(`${url}#${n}`)}`, { headers }),
    page: (headers, n) =>
      rig.send(`${documentPath(`${url}#${n}`)}`, { headers: { ...headers, accept: 'text/markdown' } }),
    draft: (headers, n) =>
      rig.send(`${searchEndpoints.search.path}?query=original+text+${n}&isDraft=true`, { headers }),
  };
  const programs = { key: { authorization: `Bearer ${secret}` }, token: { authorization: `Bearer ${token}` } };
  return { rig, url, query, session, programs, balance, reads };
}

test('a key or token pays for each read and reads nothing at a balance of 0; a browser reads for free', async () => {
  const { query, session, programs, balance, reads } = await opened();
  let call = 0;
  const retries = () => query.updateTable('creditTransactions').set({ fingerprint: null }).execute();
  for (const [place, read] of Object.entries(reads)) {
    for (const [name, program] of Object.entries(programs)) {
      const before = await balance();
      const answer = await read(program, (call += 1));
      await answer.arrayBuffer();
      expect([place, name, answer.status, before - (await balance())]).toEqual([place, name, 200, 1]);
      // A repeated call for the same page is charged once the retry window is over.
      await retries();
    }
    const before = await balance();
    expect([place, (await read(session, (call += 1))).status, before - (await balance())]).toEqual([place, 200, 0]);
  }
  await query.updateTable('users').set({ credits: 0 }).where('email', '=', 'anna@docs.example').execute();
  await retries();
  for (const [place, read] of Object.entries(reads)) {
    for (const [name, program] of Object.entries(programs)) {
      expect([place, name, (await read(program, (call += 1))).status]).toEqual([place, name, 429]);
    }
  }
  expect((await reads['viewer']?.(session, 0))?.status).toBe(200);
  expect((await reads['viewer']?.({}, 0))?.status).toBe(200);
}, 120_000);

test('a HEAD request is free, because charged calls refuse it', async () => {
  const { rig, url, programs, balance } = await opened();
  const before = await balance();
  const page = `url=${encodeURIComponent(url)}`;
  const paths = [
    `${searchEndpoints.search.path}?query=original+text`,
    `${searchEndpoints.read.path}?${page}`,
    `${documentEndpoints.showDocument.path}?${page}`,
    `${documentEndpoints.documentMarkdown.path}?${page}`,
    '/search_documentation?query=original+text',
    `/read?${page}`,
    '/v2/context?libraryId=sample&query=original+text',
  ];
  for (const path of paths) {
    for (const [name, headers] of Object.entries(programs)) {
      const { status, headers: told } = await rig.send(path, { method: 'HEAD', headers });
      expect([path, name, status, told.get('allow')]).toEqual([path, name, 405, 'GET']);
    }
  }
  const headers = { ...programs.key, accept: 'text/markdown' };
  const shown = await rig.send(documentPath(url), { method: 'HEAD', headers });
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8']);
  expect(await balance()).toBe(before);
}, 120_000);

test('free reads in a browser have limits, with a retry time', async () => {
  const { query, session, reads } = await opened();
  expect((await reads['viewer']?.(session, 1))?.status).toBe(200);
  expect((await reads['viewer']?.({}, 1))?.status).toBe(200);
  expect((await reads['draft']?.(session, 1))?.status).toBe(200);
  await query.updateTable('rateCounts').set({ count: 100_000 }).execute();
  for (const [place, sender] of [
    ['viewer', session],
    ['viewer', {}],
    ['markdown', session],
    ['draft', session],
  ] as const) {
    const refused = await reads[place]?.(sender, 2);
    expect([place, refused?.status]).toEqual([place, 429]);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
  }
}, 120_000);
