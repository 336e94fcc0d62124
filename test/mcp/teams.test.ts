import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { keyEndpoints } from '#contract/keys.ts';
import { libraryEndpoints } from '#contract/library.ts';
import { teamHeader } from '#contract/team-header.ts';
import { moveModules } from '#server/features/indexing/move-modules.ts';
import { runThinStdio } from '#server/mcp/thin-stdio.ts';
import { openHttpRig } from '../http/http-rig.ts';
import { tenantsOf } from '../http/tenants.ts';
import { leaveSampleTeam } from '../services/sample-team.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { until } from '../services/until.ts';

interface ToolAnswer {
  isError?: boolean;
  content: { text: string }[];
}

/** Opens a server with a team's module, a member's private module, and agents of members and of a stranger. */
async function tenants({ hasPublic = false } = {}) {
  const rig = await openHttpRig();
  const { base, features } = rig.running.installation;
  const { ownerId } = features.accounts;
  const { team, person } = tenantsOf(rig);
  const seat = { hasPaidSeat: 1 };
  const teamId = await team({
    ...{ name: 'Acme', credits: 50 },
    members: { [ownerId]: 'admin', bert: { role: 'reader', ...seat }, carl: 'reader' },
  });
  const otherId = await team({ credits: 50, members: { dora: { role: 'admin', ...seat } } });
  await base.db.query.updateTable('users').set({ credits: 20 }).where('id', 'in', ['bert', 'dora']).execute();
  const index = async (
    moduleId: string,
    text: string,
    sender: Record<string, string>,
    visibility: 'public' | 'private' = 'private',
  ) => {
    const folder = join(temporaryFolder(), moduleId);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'page.md'), `# The ${moduleId} guide\n\n${text}\n`);
    const input = { source: folder, moduleId, visibility };
    await rig.ask(libraryEndpoints.startIndexJob, input, sender);
    await until(`${moduleId} is served`, async () => {
      const { modules } = await rig.ask(libraryEndpoints.listModules, {}, sender);
      return modules.some((module) => module.moduleId === moduleId);
    });
  };
  await index('mine', 'The hidden marmot sleeps in the personal cupboard.', rig.operator);
  await base.db.transaction((tx) => moveModules(tx, `user:${ownerId}`, 'user:bert', 0));
  await index('ours', 'The secret marmot sleeps in the blue drawer of the team.', {
    ...rig.operator,
    [teamHeader]: teamId,
  });
  if (hasPublic) await index('open', 'The public quokka sleeps where everybody sees it.', rig.operator, 'public');
  const keyOf = async (userId: string, inTeam?: string) => {
    const { secret } = await rig.ask(keyEndpoints.createKey, { name: 'agent' }, await person(userId, inTeam));
    return secret;
  };
  const post = async (secret: string, method: string, params: object) => {
    const response = await rig.send('/mcp', {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return { status: response.status, body: (await response.json()) as { result?: unknown; error?: unknown } };
  };
  const call = async (secret: string, name: string, values: object, conversation?: string): Promise<ToolAnswer> => {
    const meta = conversation === undefined ? {} : { _meta: { 'lectern/conversation': conversation } };
    const { body } = await post(secret, 'tools/call', { name: `lectern_${name}`, arguments: values, ...meta });
    return body.result as ToolAnswer;
  };
  const search = async (secret: string, query = 'marmot', more: object = {}) =>
    (await call(secret, 'search_documentation', { query, ...more })).content[0]?.text ?? '';
  return { rig, person, teamId, otherId, keyOf, post, call, search };
}

test('a team’s documentation is found only with its members’ keys for that team', {
  timeout: 60_000,
}, async () => {
  const { teamId, otherId, keyOf, post, search, call } = await tenants();
  const keys = {
    member: await keyOf('bert', teamId),
    own: await keyOf('bert'),
    other: await keyOf('dora', otherId),
    stranger: await keyOf('dora'),
  };
  const ofTeam = await search(keys.member);
  expect(ofTeam).toContain('blue drawer');
  expect(ofTeam).not.toContain('personal cupboard');
  const own = await search(keys.own);
  expect(own).toContain('personal cupboard');
  expect(own).not.toContain('blue drawer');
  for (const secret of [keys.other, keys.stranger]) {
    expect(await search(secret)).toBe((await search(secret, 'zorbl')).replaceAll('zorbl', 'marmot'));
    expect(await search(secret, 'marmot', { module: 'ours' })).toBe(
      (await search(secret, 'marmot', { module: 'ourz' })).replaceAll('ourz', 'ours'),
    );
  }
  const listed = async (secret: string) => JSON.stringify((await post(secret, 'resources/list', {})).body.result);
  expect(await listed(keys.member)).toContain('lectern://module/ours');
  expect(await listed(keys.member)).not.toContain('lectern://module/mine');
  for (const secret of [keys.own, keys.other]) expect(await listed(secret)).not.toContain('lectern://module/ours');
  const { body } = await post(keys.member, 'resources/read', { uri: 'lectern://module/ours' });
  expect(JSON.stringify(body.result)).toContain('Private documentation');
  const [foreign, missing] = await Promise.all(
    ['ours', 'none'].map((id) => post(keys.other, 'resources/read', { uri: `lectern://module/${id}` })),
  );
  expect(JSON.stringify(foreign).replaceAll('ours', 'none')).toBe(JSON.stringify(missing));
  const url = /folder:\/\/\S+page\.md/.exec(ofTeam)?.[0] ?? '';
  expect((await call(keys.member, 'read_url', { url })).content[0]?.text).toContain('The ours guide');
  const read = async (secret: string, address: string) =>
    JSON.stringify(await call(secret, 'read_url', { url: address }));
  const nowhere = url.replace('page.md', 'pagi.md');
  expect(await read(keys.other, url)).toBe((await read(keys.other, nowhere)).replaceAll('pagi.md', 'page.md'));
});

test('passages sent in the team are sent again outside it, whatever the conversation is called', async () => {
  const { teamId, keyOf, call } = await tenants({ hasPublic: true });
  const [inTeam, own] = [await keyOf('bert', teamId), await keyOf('bert')];
  const ask = async (secret: string, conversation: string) => {
    const answer = await call(secret, 'search_documentation', { query: 'public quokka' }, conversation);
    return answer.content[0]?.text.includes('The public quokka sleeps') === true;
  };
  expect([await ask(inTeam, 'one'), await ask(inTeam, 'one'), await ask(own, 'one')]).toEqual([true, false, true]);
  expect([await ask(own, 'two'), await ask(own, 'two'), await ask(inTeam, 'two')]).toEqual([true, false, true]);
});

test('a member without a paid seat learns whose credits are used up; one with a seat uses the pool', async () => {
  const { rig, teamId, keyOf, call } = await tenants();
  const refused = await call(await keyOf('carl', teamId), 'search_documentation', { query: 'marmot' });
  expect(refused.isError).toBe(true);
  expect(refused.content[0]?.text).toMatch(/^Not enough credits on your own account, .* in Acme .*team-manage-seats/);
  await call(await keyOf('bert', teamId), 'search_documentation', { query: 'marmot' });
  const { db } = rig.running.installation.base;
  const team = await db.query.selectFrom('teams').select('credits').where('id', '=', teamId).executeTakeFirstOrThrow();
  expect(team.credits).toBe(49);
});

test('a former member’s key is refused everywhere like an unknown key', async () => {
  const { rig, teamId, keyOf, post } = await tenants();
  const secret = await keyOf('bert', teamId);
  const unknown = `lec_${'0'.repeat(38)}`;
  expect((await post(secret, 'tools/list', {})).status).toBe(200);
  await leaveSampleTeam(rig.running.installation.base.db, teamId, 'bert');
  expect(await post(secret, 'tools/list', {})).toEqual(await post(unknown, 'tools/list', {}));
  for (const path of ['/search_documentation?query=marmot', '/read?url=https://docs.example/', '/api/credits']) {
    const answers = await Promise.all(
      [secret, unknown].map(async (key) => {
        const response = await rig.send(path, { headers: { authorization: `Bearer ${key}` } });
        const text = await response.text();
        return [response.status, text.replace(/"requestId":"[^"]*"/, '')];
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.[0]).toBe(401);
  }
});

test('the stdio relay passes on team keys and their refusal', async () => {
  const { rig, teamId, keyOf } = await tenants();
  const secret = await keyOf('bert', teamId);
  const ask = async (key: string) => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const ended = runThinStdio({ url: `${rig.url}/mcp`, key, input, output });
    const params = { name: 'lectern_search_documentation', arguments: { query: 'marmot' } };
    input.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`);
    await ended;
    return String(output.read());
  };
  expect(await ask(secret)).toContain('blue drawer');
  await leaveSampleTeam(rig.running.installation.base.db, teamId, 'bert');
  const refused = await ask(secret);
  expect(refused).toContain('key-refused');
  expect(refused).toBe(await ask(`lec_${'0'.repeat(38)}`));
});

test('a key acts in its own team, whatever team the request names', async () => {
  const { rig, person, teamId, otherId, keyOf } = await tenants();
  const namesOf = async (sender: Record<string, string>) =>
    (await rig.ask(libraryEndpoints.listModules, {}, sender)).modules.map(({ moduleId }) => moduleId);
  const [inTeam, own] = [await keyOf('bert', teamId), await keyOf('bert')];
  expect(await namesOf({ authorization: `Bearer ${inTeam}`, [teamHeader]: otherId })).toEqual(['ours']);
  expect(await namesOf({ authorization: `Bearer ${own}`, [teamHeader]: teamId })).toEqual(['mine']);
  expect(await namesOf(await person('bert', teamId))).toEqual(['ours']);
});
