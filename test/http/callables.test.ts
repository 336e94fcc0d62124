import { expect, test } from 'vitest';
import { accountEndpoints } from '#contract/accounts.ts';
import { callables } from '#contract/callables.ts';
import { errorTable } from '#contract/errors.ts';
import { identityEndpoints } from '#contract/identity.ts';
import { keyEndpoints } from '#contract/keys.ts';
import { libraryEndpoints } from '#contract/library.ts';
import { outboxEndpoints } from '#contract/outbox.ts';
import { callCallable } from '../services/callable-client.ts';
import { until } from '../services/until.ts';
import { type HttpRig, openHttpRig, type Sender } from './http-rig.ts';

const account = { email: 'anna@docs.example', password: 'correct horse' };

/** Signs up over HTTP; returns the cookie's sender and a bearer token. */
async function signUp(rig: HttpRig, input = account): Promise<{ sender: Sender; token: string }> {
  const response = await rig.send('/api/identity/sign-up', { method: 'POST', body: JSON.stringify(input) });
  expect(response.status).toBe(200);
  const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';');
  const sender = { cookie, 'x-lectern-csrf': '1' };
  return { sender, token: (await rig.ask(identityEndpoints.issueIdentityToken, {}, sender)).token };
}

async function codeFromOutbox(rig: HttpRig, to: string): Promise<string> {
  const newest = async () => (await rig.ask(outboxEndpoints.listOutbox, {})).mails.find((mail) => mail.to === to);
  const { id } = await until('the mail is there', newest);
  const { mail } = await rig.ask(outboxEndpoints.readOutboxMail, { mailId: id });
  return /oobCode=([\w-]+)/.exec(mail.text)?.[1] ?? '';
}

const call = async (rig: HttpRig, path: string, headers: Sender, body = '{"data":{}}') => {
  const response = await rig.send(path, { method: 'POST', headers, body });
  return { status: response.status, body: (await response.json()) as { error?: Record<string, unknown> } };
};

test('a person calls functions with a token from any origin', async () => {
  const rig = await openHttpRig();
  const { sender, token } = await signUp(rig);
  const options = { token, origin: rig.url };
  expect(await callCallable(callables.environment, {}, options)).toEqual({ environment: 'test' });
  expect(await callCallable(callables.updateMarketingConsent, { marketingConsent: true }, options)).toEqual({});
  const { query } = rig.running.installation.base.db;
  const row = await query.selectFrom('users').selectAll().where('email', '=', account.email).executeTakeFirstOrThrow();
  expect(row.marketingConsent).toBe(1);
  await expect(callCallable(callables.onEmailVerified, {}, options)).rejects.toMatchObject({
    status: 'permission-denied',
  });
  await rig.ask(identityEndpoints.applyVerificationCode, { oobCode: await codeFromOutbox(rig, account.email) }, sender);
  expect(await callCallable(callables.onEmailVerified, {}, options)).toEqual({ isEmailVerified: true });
  const { name, key } = await callCallable(callables.createApiKey, { name: ' agent ' }, options);
  expect(name).toBe('agent');
  const keySender = { authorization: `Bearer ${key}` };
  expect(await rig.ask(libraryEndpoints.listModules, {}, keySender)).toEqual({ modules: [] });
  const [listed] = (await rig.ask(keyEndpoints.listKeys, {}, sender)).keys;
  expect(await callCallable(callables.revokeApiKey, { keyId: listed?.id ?? '' }, options)).toEqual({});
  expect(await rig.refusal(libraryEndpoints.listModules, {}, keySender)).toMatchObject({ status: 401 });
});

test('an unknown function is not found, and every failure has its status', async () => {
  const rig = await openHttpRig();
  const { token } = await signUp(rig);
  const bearer = { authorization: `Bearer ${token}` };
  const cases: [string, Sender, string, number, string][] = [
    ['listRepositoriesCallable', bearer, '{"data":{}}', 403, 'permission-denied'],
    ['addRepositoryCallable', bearer, '{"data":{}}', 400, 'invalid-argument'],
    ['listBranchesCallable', {}, '{"data":{"repository":"a/b"}}', 401, 'unauthenticated'],
    ['nothingCallable', bearer, '{"data":{}}', 404, 'not-found'],
    ['createApiKeyCallableV2', {}, '{"data":{"name":"a"}}', 401, 'unauthenticated'],
    ['createApiKeyCallableV2', bearer, '{"data":{"name":7}}', 400, 'invalid-argument'],
    ['createApiKeyCallableV2', bearer, '{"name":"a"}', 400, 'invalid-argument'],
    ['createApiKeyCallableV2', bearer, 'nonsense', 400, 'invalid-argument'],
    ['revokeApiKeyCallableV2', bearer, '{"data":{"keyId":"none"}}', 404, 'not-found'],
    [
      'startIndexJobCallable',
      bearer,
      '{"data":{"source":"https://a.example/","visibility":"public"}}',
      403,
      'permission-denied',
    ],
    ['removeModuleCallable', bearer, '{"data":{"moduleId":"none"}}', 404, 'not-found'],
    ['environment', { authorization: 'Bearer lid_forged' }, '{"data":{}}', 401, 'unauthenticated'],
    ['environment', { authorization: 'Bearer lec_torn key' }, '{"data":{}}', 401, 'unauthenticated'],
    ['environment', { ...bearer, origin: 'https://evil.example' }, '{"data":{}}', 403, 'permission-denied'],
    ['environment', bearer, `{"data":"${'x'.repeat(1_000_000)}"}`, 413, 'unknown'],
  ];
  for (const [name, headers, body, status, told] of cases) {
    for (const path of [`/callable/${name}`, `/us-central1/${name}`]) {
      const answer = await call(rig, path, headers, body);
      expect({ path, ...answer }).toMatchObject({ path, status, body: { error: { status: told } } });
      const details = answer.body.error?.['details'] as { code: keyof typeof errorTable; requestId: string };
      expect(errorTable[details.code].status).toBe(status);
      expect(details.requestId).toMatch(/^[0-9a-f-]{36}$/);
    }
  }
});

test('a call with the cookie needs the header that other sites cannot send', async () => {
  const rig = await openHttpRig();
  const { sender } = await signUp(rig);
  const body = '{"data":{"marketingConsent":true}}';
  const { cookie = '' } = sender;
  for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'application/json']) {
    const answer = await call(rig, '/callable/updateMarketingConsent', { cookie, 'content-type': type }, body);
    expect(answer.status).toBe(403);
  }
  expect((await call(rig, '/callable/updateMarketingConsent', sender, body)).status).toBe(200);
});

test('deleting an account deletes its sessions and keys at once, and its owner is notified', async () => {
  const rig = await openHttpRig();
  const { sender, token } = await signUp(rig);
  const options = { token, origin: rig.url };
  await rig.ask(identityEndpoints.applyVerificationCode, { oobCode: await codeFromOutbox(rig, account.email) }, sender);
  const { key } = await callCallable(callables.createApiKey, { name: 'agent' }, options);
  const wrong = callCallable(callables.deleteUser, { password: 'wrong horse' }, options);
  await expect(wrong).rejects.toMatchObject({ code: 'wrong-password', status: 'invalid-argument' });
  expect(await callCallable(callables.deleteUser, { password: account.password }, options)).toEqual({});
  expect(await rig.ask(accountEndpoints.getSession, {}, sender)).toMatchObject({ user: null });
  await expect(callCallable(callables.environment, {}, options)).rejects.toMatchObject({ status: 'unauthenticated' });
  const keySender = { authorization: `Bearer ${key}` };
  expect(await rig.refusal(libraryEndpoints.listModules, {}, keySender)).toMatchObject({ code: 'key-refused' });
  await until('the mail is there', async () =>
    (await rig.ask(outboxEndpoints.listOutbox, {})).mails.some(({ subject }) => subject.endsWith('was deleted')),
  );
  await signUp(rig);
});
