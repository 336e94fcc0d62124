import { expect, onTestFinished, test } from 'vitest';
import { documentEndpoints } from '#contract/documents.ts';
import { keyEndpoints } from '#contract/keys.ts';
import { libraryEndpoints } from '#contract/library.ts';
import { searchEndpoints } from '#contract/search.ts';
import { sourceCredentialEndpoints } from '#contract/source-credentials.ts';
import { teamHeader } from '#contract/team-header.ts';
import type { Sender } from '../http/http-rig.ts';
import { startLoopbackServer } from '../services/loopback-server.ts';
import { until } from '../services/until.ts';
import { askAgent, openStage, type Stage } from './team-cast.ts';

const keyHeader = 'x-docs-key';
const texts: Record<string, string> = {
  'key-of-a': 'The lantern of Acme is marzipan',
  'key-of-b': 'The lamp is brass',
};

/** Opens a site that shows each key a different text, and nothing without a key. */
async function privateSite() {
  const shown: (string | undefined)[] = [];
  const site = await startLoopbackServer((request, response) => {
    const key = request.headers[keyHeader] as string | undefined;
    if (request.url === '/docs/') shown.push(key);
    const text = texts[key ?? ''];
    if (text === undefined || request.url !== '/docs/') return void response.writeHead(text ? 404 : 401).end('no');
    const body = `<!doctype html><title>Handbook</title><main><h1>Handbook</h1><p>${text}.</p></main>`;
    response.writeHead(200, { 'content-type': 'text/html' }).end(body);
  });
  onTestFinished(() => site.close());
  return { site, shown, url: `${site.origin}/docs/`, host: `127.0.0.1:${site.port}` };
}

async function indexWith({ rig }: Stage, url: string, value: string, sender: Sender) {
  const secret = { kind: 'header', name: keyHeader, value } as const;
  const { credential } = await rig.ask(sourceCredentialEndpoints.createSourceCredential, { url, secret }, sender);
  const source = { source: url, moduleId: 'handbook', visibility: 'private', credentialId: credential.id } as const;
  const { job } = await rig.ask(libraryEndpoints.startIndexJob, source, sender);
  const ended = await until('the run has ended', async () => {
    const answer = await rig.ask(libraryEndpoints.getJob, { jobId: job.id }, sender);
    return answer.job.endTime === null ? undefined : answer.job;
  });
  expect(ended.status).toBe('COMPLETE');
}

test('tenant-0011, tenant-0017, tenant-0018, tenant-0020: each tenant sees only what their own key fetched from a private source', async () => {
  const { site, shown, url, host } = await privateSite();
  const stage = await openStage({ LECTERN_ALLOW_HOSTS: host });
  const { rig, senders, ask } = stage;
  const acme = await stage.team();
  await rig.running.installation.base.db.query.deleteFrom('modules').where('slug', '=', acme.moduleId).execute();
  const a = { ...senders.founder, [teamHeader]: acme.teamId };
  const b = senders.outsider;
  await indexWith(stage, url, 'key-of-a', a);
  const { secret: agentOfB } = await rig.ask(keyEndpoints.createKey, { name: 'own' }, b);

  // B has indexed nothing: the address is fetched for B, without A's key, and not from A's index.
  const before = shown.length;
  const read = await ask(searchEndpoints.read, { url }, b);
  expect(read.status).not.toBe(200);
  expect(read.body).not.toContain('marzipan');
  expect(await askAgent(rig, agentOfB, 'lectern_read_url', { url })).not.toContain('marzipan');
  expect(new Set(shown.slice(before))).toEqual(new Set([undefined]));
  const missing = `${site.origin}/docs/none`;
  const [foreign, none] = [
    await ask(documentEndpoints.showDocument, { url }, b),
    await ask(documentEndpoints.showDocument, { url: missing }, b),
  ];
  expect(foreign.status).toBe(404);
  expect(foreign.body.replaceAll(url, missing)).toBe(none.body);

  await indexWith(stage, url, 'key-of-b', b);
  for (const [who, own, other] of [
    [a, 'marzipan', 'brass'],
    [b, 'brass', 'marzipan'],
  ] as const) {
    const said = [
      (await ask(searchEndpoints.search, { query: 'lantern lamp handbook' }, who)).body,
      (await ask(searchEndpoints.read, { url }, who)).body,
      (await ask(documentEndpoints.showDocument, { url }, who)).body,
    ];
    for (const text of said) expect([text.includes(own), text.includes(other)]).toEqual([true, false]);
    // Both have an index of the same name; each sees only their own.
    const { index } = await rig.ask(libraryEndpoints.getPrivateIndex, {}, who);
    expect(index).toMatchObject({ indexId: 'default', teamId: who === a ? acme.teamId : null });
  }
  expect((await ask(libraryEndpoints.getPrivateIndex, {}, { ...b, [teamHeader]: acme.teamId })).status).toBe(404);
});
