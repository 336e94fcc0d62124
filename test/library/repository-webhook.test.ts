import { createHmac, randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { receivePush } from '#server/features/repositories/receive-push.ts';
import {
  getRepositoryWebhook,
  removeRepositoryWebhook,
  renewRepositoryWebhook,
} from '#server/features/repositories/repository-webhook.ts';
import { createRepositoryWebhook } from '#server/http/webhooks.ts';
import type { ErrorReporter } from '#server/platform/error-reports/error-reporter.ts';
import { onEachDatabase } from '#test/services/database.ts';
import { createSettableClock } from '#test/services/settable-clock.ts';
import { openRepositoryRig, type RepositoryRig } from './repository-rig.ts';

const publicUrl = 'https://docs.example';
const sealingKeys = [new Uint8Array(32).fill(7)] as const;
const deps = { publicUrl, sealingKeys, toldByHost: async () => undefined };
const errorReporter = { report: (error: unknown) => expect.fail(String(error)) } as unknown as ErrorReporter;

type Headers = Record<string, string>;
interface Told {
  url: string;
  secret: string;
  now: number;
}

/** How each host signs a push to a branch, with its own header names and formats. */
const hosts: Record<string, (body: string, told: Told) => Headers> = {
  Gitea: (body, { secret }) => ({
    'x-gitea-event': 'push',
    'x-gitea-delivery': randomUUID(),
    'x-gitea-signature': createHmac('sha256', secret).update(body).digest('hex'),
  }),
  Forgejo: (body, { secret }) => ({
    'x-forgejo-event': 'push',
    'x-forgejo-delivery': randomUUID(),
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  }),
  'GitLab by signing token': (body, { secret, now }) => {
    const [id, time] = [randomUUID(), Math.floor(now / 1_000)];
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    const signature = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64');
    return {
      'x-gitlab-event': 'Push Hook',
      'webhook-id': id,
      'webhook-timestamp': String(time),
      'webhook-signature': `v1,${signature}`,
    };
  },
  'GitLab by secret token': (_body, { secret }) => ({
    'x-gitlab-event': 'Push Hook',
    'x-gitlab-event-uuid': randomUUID(),
    'x-gitlab-token': secret,
  }),
};

const pushed = (ref = 'refs/heads/main') => JSON.stringify({ ref, after: 'f'.repeat(40) });

/** Opens a module of a repository with a webhook; `told` returns the webhook's address, its secret and the time. */
async function openWebhook(kind: 'sqlite' | 'postgres') {
  const clock = createSettableClock();
  const rig = await openRepositoryRig({ kind, clock, limits: { fetchBytesMax: 100_000 } });
  const repository = await rig.server.add('team/handbook');
  await repository.commit({ 'README.md': '# Hours\n\nThe cloakroom is open from nine.' });
  const { moduleId } = await rig.index(repository.url);
  const { webhook, secret } = await renewRepositoryWebhook(rig.ctx, { moduleId }, deps);
  const told = () => ({ url: webhook.url, secret, now: clock.now() });
  return { rig, clock, repository, moduleId, told };
}

async function deliver(rig: RepositoryRig, url: string, body: string, headers: Headers, db = rig.ctx.db) {
  const nobody: Context = { ...rig.ctx, db, actor: { kind: 'anonymous' }, workspace: null };
  const door = createRepositoryWebhook({
    contextOf: () => nobody,
    repositories: { receivePush: (ctx, delivery) => receivePush(ctx, delivery, { sealingKeys }) },
    errorReporter,
  });
  const answer = await door.handle(new Request(url, { method: 'POST', body, headers }));
  return { status: answer.status, text: await answer.text() };
}

onEachDatabase('repository webhooks', (kind) => {
  test('pushes reported by Gitea, Forgejo and GitLab are read and found, once per delivery', async () => {
    const { rig, repository, moduleId, told } = await openWebhook(kind);
    const { url } = told();
    await repository.commit({ 'README.md': '# Hours\n\nThe observatory is open from nine.' });
    expect(await rig.check()).toBe(0);
    const body = pushed();
    for (const [name, sign] of Object.entries(hosts)) {
      const headers = sign(body, told());
      expect({ name, ...(await deliver(rig, url, body, headers)) }).toMatchObject({ name, status: 202 });
      expect({ name, checked: await rig.check() }).toEqual({ name, checked: 1 });
      if (name === 'Gitea') expect(await rig.runNext()).toMatchObject({ status: 'COMPLETE', fetched: 1 });
      expect({ name, ...(await deliver(rig, url, body, headers)) }).toMatchObject({ name, status: 202 });
      expect({ name, checked: await rig.check() }).toEqual({ name, checked: 0 });
      const [receivedEvent] = Object.values(headers);
      expect(await getRepositoryWebhook(rig.ctx, { moduleId }, deps)).toMatchObject({ webhook: { receivedEvent } });
    }
  });

  test('only the webhook’s secret is accepted, all other calls get one response, and a new secret voids the old', async () => {
    const { rig, clock, moduleId, told } = await openWebhook(kind);
    const body = pushed();
    const { url } = told();
    const refused = [
      await deliver(rig, url, body, {}),
      await deliver(rig, `${publicUrl}/webhooks/git/${randomUUID()}`, body, hosts['Gitea']!(body, told())),
    ];
    for (const sign of Object.values(hosts)) {
      refused.push(await deliver(rig, url, body, sign(body, { ...told(), secret: 'whsec_AAAA' })));
    }
    for (const name of ['Gitea', 'Forgejo', 'GitLab by signing token']) {
      refused.push(await deliver(rig, url, pushed('refs/heads/other'), hosts[name]!(body, told())));
    }
    const late = { ...told(), now: clock.now() - 6 * 60_000 };
    refused.push(await deliver(rig, url, body, hosts['GitLab by signing token']!(body, late)));
    // A valid token does not make up for a wrong signature.
    refused.push(
      await deliver(rig, url, body, { ...hosts['GitLab by secret token']!(body, told()), 'x-gitea-signature': '00' }),
    );
    const old = hosts['Gitea']!(body, told());
    await renewRepositoryWebhook(rig.ctx, { moduleId }, deps);
    refused.push(await deliver(rig, url, body, old));
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([400]));
    const codes = refused.map(({ text }) => (JSON.parse(text) as { error: { code: string } }).error.code);
    expect(new Set(codes)).toEqual(new Set(['webhook-refused']));
    expect(await rig.check()).toBe(0);
  });

  test('each delivery’s result is shown, refusals separately with their reason, up to a limit', async () => {
    const { rig, clock, moduleId, told } = await openWebhook(kind);
    const { url } = told();
    const body = pushed();
    const list = async () => (await getRepositoryWebhook(rig.ctx, { moduleId }, deps)).deliveries;
    expect(await list()).toEqual([]);
    const deliverAs = async (name: string, change: { body?: string; told?: Partial<Told>; headers?: Headers } = {}) => {
      const headers = { ...hosts[name]!(change.body ?? body, { ...told(), ...change.told }), ...change.headers };
      await deliver(rig, url, change.body ?? body, headers);
      clock.advance(1_000);
      return headers;
    };
    const first = await deliverAs('Gitea');
    await deliverAs('Gitea', { headers: first });
    await deliverAs('Gitea', { headers: { 'x-gitea-event': 'issues' } });
    await deliverAs('Gitea', { told: { secret: 'whsec_AAAA' } });
    await deliverAs('Forgejo', { told: { secret: 'whsec_AAAA' } });
    await deliverAs('GitLab by signing token', { told: { now: clock.now() - 6 * 60_000 } });
    await deliver(rig, url, body, {});
    expect(await list()).toMatchObject([
      { outcome: 'refused', reason: 'unsigned', event: null, times: 1 },
      { outcome: 'refused', reason: 'late', times: 1 },
      { outcome: 'refused', reason: 'wrong-secret', times: 2 },
      { outcome: 'ignored', event: 'issues', reason: null },
      { outcome: 'repeated', event: 'push' },
      { outcome: 'looked', event: 'push', ref: 'refs/heads/main', times: 1 },
    ]);
    for (let at = 0; at < 25; at += 1) {
      clock.advance(61_000);
      await deliver(rig, url, body, {});
    }
    const after = await list();
    expect(after.filter(({ outcome }) => outcome === 'refused')).toHaveLength(20);
    expect(after.filter(({ outcome }) => outcome !== 'refused')).toHaveLength(3);
  });

  test('a removed webhook is refused and forgotten, and the next one has another secret', async () => {
    const { rig, moduleId, told } = await openWebhook(kind);
    const body = pushed();
    await deliver(rig, told().url, body, hosts['Gitea']!(body, told()));
    const both = await Promise.all([1, 2].map(() => removeRepositoryWebhook(rig.ctx, { moduleId })));
    expect(both.filter(({ wasThere }) => wasThere)).toHaveLength(1);
    expect(await getRepositoryWebhook(rig.ctx, { moduleId }, deps)).toEqual({
      ...{ webhook: null, host: null, deliveries: [] },
    });
    expect(await deliver(rig, told().url, body, hosts['Gitea']!(body, told()))).toMatchObject({ status: 400 });
    const { secret } = await renewRepositoryWebhook(rig.ctx, { moduleId }, deps);
    expect(secret).not.toBe(told().secret);
    expect(await deliver(rig, told().url, body, hosts['Gitea']!(body, told()))).toMatchObject({ status: 400 });
    const fresh = hosts['Gitea']!(body, { ...told(), secret });
    expect(await deliver(rig, told().url, body, fresh)).toMatchObject({ status: 202 });
  });

  test('a delivery cut off before its push was passed on counts when it is repeated', async () => {
    const { rig, told } = await openWebhook(kind);
    const { db } = rig.ctx;
    const cutOff: typeof db = {
      ...db,
      transaction: (body, options) =>
        db.transaction(async (tx) => {
          await body(tx);
          throw new AppError('unavailable');
        }, options),
    };
    const body = pushed();
    const headers = hosts['Gitea']!(body, told());
    expect(await rig.check()).toBe(0);
    expect(await deliver(rig, told().url, body, headers, cutOff)).toMatchObject({ status: 503 });
    expect(await rig.check()).toBe(0);
    expect(await deliver(rig, told().url, body, headers)).toMatchObject({ status: 202 });
    expect(await rig.check()).toBe(1);
  });

  test('a push to another branch or an unknown event triggers no check', async () => {
    const { rig, clock, repository, told } = await openWebhook(kind);
    const { moduleId } = await rig.index(repository.url, { ref: { kind: 'branch', name: 'main' } });
    const { webhook, secret } = await renewRepositoryWebhook(rig.ctx, { moduleId }, deps);
    const other = pushed('refs/heads/other');
    const signed = hosts['Gitea']!(other, { url: webhook.url, secret, now: clock.now() });
    expect(await deliver(rig, webhook.url, other, signed)).toMatchObject({ status: 202 });
    const { deliveries } = await getRepositoryWebhook(rig.ctx, { moduleId }, deps);
    expect(deliveries).toMatchObject([{ outcome: 'elsewhere', ref: 'refs/heads/other' }]);
    await rig.check();
    const issue = { ...hosts['Gitea']!(pushed(), told()), 'x-gitea-event': 'issues' };
    expect(await deliver(rig, told().url, pushed(), issue)).toMatchObject({ status: 202 });
    expect(await rig.check()).toBe(0);
  });

  test('only users who can change the source get a secret; simultaneous requests leave one valid secret', async () => {
    const { rig, moduleId, told } = await openWebhook(kind);
    await rig.ctx.db.query.insertInto('users').values({ id: 'anna', createdAt: 0 }).execute();
    const anna = rig.as('anna');
    for (const verb of [getRepositoryWebhook, renewRepositoryWebhook, removeRepositoryWebhook]) {
      await expect(verb(anna, { moduleId }, deps)).rejects.toMatchObject({ code: 'permission-denied' });
      await expect(verb(anna, { moduleId: 'none' }, deps)).rejects.toMatchObject({ code: 'module-not-found' });
    }
    const both = await Promise.all([1, 2].map(() => renewRepositoryWebhook(rig.ctx, { moduleId }, deps)));
    expect(new Set([told().secret, ...both.map(({ secret }) => secret)]).size).toBe(3);
    const body = pushed();
    const answers = await Promise.all(
      both.map(({ secret }) => deliver(rig, told().url, body, hosts['Gitea']!(body, { ...told(), secret }))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202, 400]));
  });

  test('a repository over the limit ends the fetch half-way with an error, and stays served', async () => {
    const { rig, repository, told } = await openWebhook(kind);
    // Data collected by a failed run is kept separately until it is retried or forgotten.
    const served = async () => (await rig.blobKeys()).filter((key) => !key.startsWith('runs/')).sort();
    const before = await served();
    const noise = Buffer.from(Array.from({ length: 3_000_000 }, () => Math.floor(Math.random() * 256)));
    await repository.commit({ 'noise.md': noise });
    const body = pushed();
    await deliver(rig, told().url, body, hosts['Gitea']!(body, told()));
    await rig.check();
    const run = await rig.runNext();
    expect(run).toMatchObject({ status: 'FAILED', error: expect.stringContaining('too large') });
    expect(readdirSync(rig.workFolder)).toEqual([]);
    expect(await served()).toEqual(before);
    const modules = await rig.ctx.db.query.selectFrom('modules').select('pageCount').execute();
    expect(modules).toEqual([{ pageCount: 1 }]);
  });
});
