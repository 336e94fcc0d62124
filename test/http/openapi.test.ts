import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { callables } from '#contract/callables.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { type ErrorCode, errorTable } from '#contract/errors.ts';
import { operatorEndpoints } from '#contract/operator.ts';
import { productDocsEndpoints } from '#contract/product-docs.ts';
import { teamAdministration } from '#contract/teams.ts';
import { codesOfCalls } from '#server/http/openapi/codes-of-calls.ts';
import type { OpenApiDocument, Operation } from '#server/http/openapi/types.ts';
import { openStage } from '../security/team-cast.ts';
import { type HttpRig, openHttpRig } from './http-rig.ts';

const methods = ['get', 'post', 'put', 'delete'];

async function documentOf(rig: HttpRig): Promise<OpenApiDocument> {
  return (await rig.ask(productDocsEndpoints.describeInterface, {}, rig.visitor)) as unknown as OpenApiDocument;
}

function operationsOf(document: OpenApiDocument): { path: string; method: string; operation: Operation }[] {
  return Object.entries(document.paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, operation]) => ({ path, method, operation })),
  );
}

test('the description is valid, complete OpenAPI 3.1, and every name is unique', async () => {
  const rig = await openHttpRig();
  const document = await documentOf(rig);
  const { valid, errors } = await new Validator().validate({ ...document });
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
  expect(document.openapi).toBe('3.1.0');
  expect(document.servers).toEqual([{ url: rig.url }]);
  const operations = operationsOf(document);
  expect(operations.every(({ method }) => methods.includes(method))).toBe(true);
  const names = operations.map(({ operation }) => operation.operationId);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  const tags = new Set(document.tags.map(({ name }) => name));
  expect(operations.filter(({ operation }) => !tags.has(operation.tags[0] ?? '')).map(({ path }) => path)).toEqual([]);
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)];
  const missing = references.filter(([, kind = '', name = '']) => document.components[kind]?.[name] === undefined);
  expect(missing.map(([text]) => text)).toEqual([]);
  expect(references.length).toBeGreaterThan(500);
});

test('every implemented call and every callable function is described', async () => {
  const rig = await openHttpRig();
  const document = await documentOf(rig);
  const described = new Set(
    operationsOf(document).map(({ path, method }) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  );
  const tied = rig.running.installation.calls.map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`);
  expect(tied.filter((call) => !described.has(call))).toEqual([]);
  const functions = Object.values(callables).map(({ name }) => `POST /callable/${name}`);
  expect(functions.filter((call) => !described.has(call))).toEqual([]);
});

test('every error code is listed under the status that it is sent with', async () => {
  const document = await documentOf(await openHttpRig());
  const responses = document.components['responses'] as Record<string, { description: string }>;
  for (const [code, { status }] of Object.entries(errorTable)) {
    for (const kind of ['', 'Admin', 'Callable'])
      expect(responses[`${kind}Fault${status}`]?.description).toContain(code);
  }
});

test('each call lists its own error codes, each under its status', async () => {
  const document = await documentOf(await openHttpRig());
  const operations = operationsOf(document);
  const revoke = operations.find(({ operation }) => operation.operationId === 'revokeKey')?.operation;
  expect(revoke?.['x-error-codes']).toContain('key-not-found');
  expect(revoke?.['x-error-codes']).not.toContain('job-not-found');
  expect(revoke?.responses['404']?.description).toBe('One of the codes team-not-found, key-not-found.');
  for (const { operation } of operations) {
    for (const code of operation['x-error-codes'] ?? [])
      expect(operation.responses[errorTable[code].status]?.description).toContain(code);
  }
  const names = new Set(operations.map(({ operation }) => operation.operationId));
  expect(Object.keys(codesOfCalls).filter((name) => !names.has(name))).toEqual([]);
});

test('the calls about accounts list the codes of their refusals', async () => {
  const { rig, senders, ...stage } = await openStage();
  const { teamId, membershipIds } = await stage.team();
  const { createPerson, updatePerson, createPasswordLink, endSessionsOf, deletePerson } = operatorEndpoints;
  await rig.ask(createPerson, { email: 'anna@docs.example' });
  const demotion = { teamId, membershipId: membershipIds.admin, role: 'reader' } as const;
  await rig.ask(teamAdministration.setMemberRole, demotion, senders.founder);
  const [none, owner, founder] = ['none', 'local-owner', 'founder@example.org'].map((whose) => ({ whose }));
  const refused: [Endpoint, Record<string, unknown>, ErrorCode][] = [
    [createPerson, { email: '' }, 'missing-email'],
    [createPerson, { email: 'anna' }, 'invalid-email'],
    [createPerson, { email: 'anna@docs.example' }, 'email-already-in-use'],
    [createPerson, { email: 'bea@docs.example', password: '' }, 'missing-password'],
    [createPerson, { email: 'bea@docs.example', password: 'short' }, 'weak-password'],
    [updatePerson, { ...none, isDisabled: true }, 'user-not-found'],
    [updatePerson, { ...owner, isDisabled: true }, 'operator-kept'],
    [updatePerson, { whose: 'anna@docs.example', isOperator: true }, 'account-not-verified'],
    [createPasswordLink, { ...none }, 'user-not-found'],
    [createPasswordLink, { ...owner }, 'invalid-input'],
    [endSessionsOf, { ...none }, 'user-not-found'],
    [deletePerson, { ...none }, 'user-not-found'],
    [deletePerson, { ...owner }, 'operator-not-deletable'],
    [deletePerson, { ...founder }, 'last-admin-of-team'],
  ];
  for (const [endpoint, input, code] of refused) {
    expect([endpoint.path, input, (await rig.refusal(endpoint, input)).code]).toEqual([endpoint.path, input, code]);
  }
  expect(codesOfCalls['deleteUserCallable']).toContain('last-admin-of-team');
});

/** Calls that check a price, an amount, or a missing resource before the caller. */
const looksAtInputFirst = new Set([
  ...['createSubscription', 'purchaseTeamCredits', 'cancelJob', 'removeModule', 'removeModuleCallable'],
]);

test('each call demands of visitors and keys what its description says, and accepts its own example', async () => {
  const rig = await openHttpRig();
  const document = await documentOf(rig);
  const key = (await rig.createKey()).sender;
  const said: string[] = [];
  const found: string[] = [];
  for (const { path, method, operation } of operationsOf(document)) {
    if (path === '/api/live' || path === '/api/live/poll' || path === '/healthz' || path.endsWith('/parts')) continue;
    const { operationId, security, tags } = operation;
    if (tags.includes('More calls')) continue;
    const isPublic = security.some((way) => Object.keys(way).length === 0);
    const visitor = await sendExample(rig, path, method, operation, rig.visitor);
    if (visitor.code === 'invalid-input') found.push(`${operationId} refuses its example: ${visitor.message}`);
    if (visitor.code !== 'unauthenticated' && !looksAtInputFirst.has(operationId))
      found.push(`${operationId}: visitors`);
    if (isPublic) said.push(`${operationId}: visitors`);
    if (isPublic || looksAtInputFirst.has(operationId)) continue;
    const program = await sendExample(rig, path, method, operation, key);
    if (!['permission-denied', 'unauthenticated'].includes(program.code ?? '')) found.push(`${operationId}: keys`);
    if (security.some((way) => 'apiKey' in way)) said.push(`${operationId}: keys`);
  }
  expect(found.sort()).toEqual(said.sort());
});

async function sendExample(
  rig: HttpRig,
  path: string,
  method: string,
  { parameters = [], requestBody }: Operation,
  sender: Record<string, string>,
): Promise<{ status: number; code?: string; message?: string }> {
  const filled = parameters.filter((parameter) => parameter.in === 'path');
  const address = filled.reduce((text, { name, example }) => text.replace(`{${name}}`, String(example)), path);
  const query = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  const search = new URLSearchParams(
    query.map(({ name, example }): [string, string] => [name, String(example)]),
  ).toString();
  const body = requestBody && JSON.stringify(requestBody.content['application/json']?.example);
  const headers = { ...sender, 'content-type': 'application/json' };
  const response = await rig.send(`${address}${search === '' ? '' : `?${search}`}`, {
    ...{
      method: method.toUpperCase(),
      headers,
      body: method === 'post' || method === 'put' ? (body ?? '{}') : undefined,
    },
  });
  const text = await response.text();
  if (response.ok || !text.startsWith('{')) return { status: response.status };
  const { error, code } = JSON.parse(text) as {
    code?: string;
    error: string | { code?: string; message: string; details?: { code: string } };
  };
  if (typeof error === 'string') return { status: response.status, code, message: error };
  return { status: response.status, code: error.code ?? error.details?.code, message: error.message };
}
