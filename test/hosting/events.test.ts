import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { hostingEndpoints } from '#contract/hosting.ts';
import { app, type SignedDelivery, signatureOf } from '../services/code-host-state.ts';
import { until } from '../services/until.ts';
import { type HostingRig, openHostingRig } from './rig.ts';

const { addRepository, getHosting } = hostingEndpoints;
const files = { 'README.md': '# Handbook' };

async function openWithRepository(way: 'oauth' | 'app') {
  const part = await openHostingRig([way]);
  const { host, rig, person, connect } = part;
  for (const login of ['ada', 'ben']) host.addPerson(login);
  const project = await host.addProject('ada/handbook', { isPrivate: true, files });
  if (way === 'app') host.install('ada', [project]);
  const anna = await person('anna');
  await connect(anna, 'ada');
  const { repository } = await rig.ask(addRepository, { repository: 'ada/handbook' }, anna);
  return { ...part, project, anna, repository };
}

async function post({ rig }: HostingRig, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) {
  const response = await rig.send('/webhooks/github', { method: 'POST', headers, body });
  const answer = (await response.json()) as { error?: { code: string } };
  return { status: response.status, code: answer.error?.code };
}

const again = (part: HostingRig, { body, headers }: SignedDelivery, change: Record<string, string> = {}) =>
  post(part, body, { ...headers, ...change });

async function countDeliveries({ rig }: HostingRig): Promise<number> {
  const { query } = rig.running.installation.base.db;
  return (await query.selectFrom('codeHostDeliveries').selectAll().execute()).length;
}

test.each(['oauth', 'app'] as const)(
  '%s: an event is accepted only with a signature over exactly its bytes',
  async (way) => {
    const part = await openWithRepository(way);
    const { host, project } = part;
    const [told] = await host.push(project, { 'README.md': '# Changed' });
    if (told === undefined) throw new Error('nothing was told');
    expect(await countDeliveries(part)).toBe(1);
    const refused = { status: 400, code: 'webhook-refused' };
    const id = () => ({ 'x-github-delivery': randomUUID() });
    expect(await again(part, told, id())).toEqual({ status: 202, code: undefined });
    const cases: [string, Record<string, string>][] = [
      [`${told.body} `, {}],
      [told.body.replace('"private":true', '"private":false'), {}],
      [told.body, { 'x-hub-signature-256': '' }],
      [told.body, { 'x-hub-signature-256': 'sha256=' }],
      [told.body, { 'x-hub-signature-256': signatureOf(told.body, 'another secret') }],
      [told.body, { 'x-hub-signature-256': signatureOf(told.body, '') }],
      [told.body, { 'x-hub-signature-256': (told.headers['x-hub-signature-256'] ?? '').replace('sha256=', 'sha1=') }],
      [told.body, { 'x-hub-signature-256': (told.headers['x-hub-signature-256'] ?? '').slice(0, -1) }],
      ['', {}],
      ['{}', {}],
      ['not json', {}],
    ];
    for (const [body, change] of cases)
      expect(await post(part, body, { ...told.headers, ...id(), ...change })).toEqual(refused);
    // A secret is valid for one repository only.
    const other = told.body.replace(`"id":${project.id}`, '"id":77');
    if (way === 'oauth') {
      const secret = project.hooks[0]?.secret ?? '';
      const headers = { ...told.headers, ...id(), 'x-hub-signature-256': signatureOf(other, secret) };
      expect(await post(part, other, headers)).toEqual(refused);
    }
    expect(await countDeliveries(part)).toBe(2);
  },
);

test('a delivery is processed once, however often it arrives; its id is required', async () => {
  const part = await openWithRepository('oauth');
  const { host, project, rig } = part;
  const [told] = await host.push(project, { 'README.md': '# Changed' });
  if (told === undefined) throw new Error('nothing was told');
  const statuses = await Promise.all([1, 2, 3].map(async () => (await again(part, told)).status));
  expect(statuses).toEqual([202, 202, 202]);
  expect(await countDeliveries(part)).toBe(1);
  for (const deliveryId of ['', 'a b', 'x'.repeat(101)]) {
    expect(await again(part, told, { 'x-github-delivery': deliveryId })).toMatchObject({ status: 400 });
  }
  expect((await rig.send('/webhooks/github')).status).toBe(405);
});

test('an oversized body is not read to the end; invalid text and unknown events are ignored', async () => {
  const part = await openWithRepository('app');
  const { host } = part;
  const large = `{"x":"${'x'.repeat(5_000_000)}"}`;
  expect(await post(part, large, { 'x-hub-signature-256': signatureOf(large, app.webhookSecret) })).toEqual({
    status: 413,
    code: 'body-too-large',
  });
  const signed = (body: string, event: string) => ({
    'x-github-event': event,
    'x-github-delivery': randomUUID(),
    'x-hub-signature-256': signatureOf(body, app.webhookSecret),
  });
  const broken = new Uint8Array([0x7b, 0xff, 0x7d]);
  expect(await post(part, broken, signed('{\ufffd}', 'push'))).toMatchObject({ status: 400 });
  for (const [event, body] of [
    ['ping', '{"zen":"Keep it simple."}'],
    ['star', '{"action":"created"}'],
    ['', '[]'],
    ['push', '"text"'],
    ['push', '{"repository":{"id":"many"}}'],
    ['installation', '{"installation":{"id":999}}'],
  ] as const) {
    expect(await post(part, body, signed(body, event))).toEqual({ status: 202, code: undefined });
  }
  expect(host.complaints).toEqual([]);
});

test('an event only triggers a check: the host’s response to that check decides', async () => {
  const part = await openWithRepository('app');
  const { host, project, rig, anna } = part;
  const state = async () => {
    const { connection, repositories } = await rig.ask(getHosting, {}, anna);
    return { connection: connection?.state, ...repositories[0] };
  };
  const asked = () => host.requests.length;
  // Signed, but false.
  let before = asked();
  await host.tell('repository', { action: 'deleted' }, project);
  await until('the host was asked', () => asked() > before);
  before = asked();
  await host.tell('github_app_authorization', { action: 'revoked', sender: { id: 1001 } });
  await until('the host was asked', () => asked() > before);
  expect(await state()).toMatchObject({ connection: 'connected', paused: null });
  // And true.
  host.rename(project, 'ada/guide');
  await host.tell('repository', { action: 'renamed' }, project);
  await until('the name is known', async () => (await state()).fullName === 'ada/guide');
  project.readers.delete('ada');
  await host.tell('repository', { action: 'privatized' }, project);
  await until('it is paused', async () => (await state()).paused?.reason === 'access-lost');
});

test('the end of an installation and of an authorization is noticed at once', async () => {
  const one = await openWithRepository('app');
  const paused = async ({ rig, anna }: typeof one) =>
    (await rig.ask(getHosting, {}, anna)).repositories[0]?.paused?.reason;
  const [installation] = one.host.installations;
  one.host.installations.splice(0);
  await one.host.tell('installation', { action: 'deleted', installation: { id: installation?.id } });
  // Access through the App ends with its installation.
  await until('it is paused', async () => (await paused(one)) === 'access-lost');
  const other = await openWithRepository('app');
  other.host.tokens.clear();
  await other.host.tell('github_app_authorization', { action: 'revoked', sender: { id: 1001 } });
  await until('it is paused', async () => (await paused(other)) === 'reconnect-needed');
});
