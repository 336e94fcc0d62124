import { expect, test } from 'vitest';
import { createSearch } from '#server/features/search/index.ts';
import { createContext7CompatRoutes } from '#server/mcp/context7-compat.ts';
import { contextOf } from '../mcp/context-of.ts';
import { memoryShelf } from '../mcp/memory-shelf.ts';
import { sampleModules } from '../mcp/sample-docs.ts';
import { openHttpRig } from './http-rig.ts';

/** Builds the request of `@upstash/context7-mcp` 4.1.1, header by header. */
function requestOf(path: string, parameters: Record<string, string>, key: string): Request {
  return new Request(`http://lectern.example/v2/${path}?${new URLSearchParams(parameters).toString()}`, {
    headers: {
      'x-context7-source': 'mcp-server',
      'x-context7-client-ide': 'cursor',
      'mcp-session-id': 'a-session',
      authorization: `Bearer ${key}`,
    },
  });
}

test('the published Context7 client gets libraries by name and the documentation of one', async () => {
  const ctx = await contextOf();
  const search = createSearch({ shelf: memoryShelf(sampleModules) });
  const routes = createContext7CompatRoutes({ search, productName: 'Lectern', authenticate: async () => ctx });
  const named = { query: 'start a task', libraryName: 'tasklib' };
  const { results } = (await (await routes.searchLibraries(requestOf('libs/search', named, 'k'))).json()) as {
    results: { id: string; title: string }[];
  };
  expect(results[0]).toMatchObject({ id: '/lectern/tasklib', title: 'Tasklib' });
  const ask = (libraryId: string) => routes.context(requestOf('context', { query: 'create_task', libraryId }, 'k'));
  const context = await ask('/lectern/tasklib');
  expect(context.headers.get('content-type')).toMatch(/^text\/plain/);
  expect(await context.text()).toContain('Call `create_task(name)`');
  expect(await (await ask('/any/tasklib')).text()).not.toContain('Call `create_task(name)`');
  const unknown = await ask('/any/unheard-of');
  expect(unknown.ok).toBe(false);
  expect(((await unknown.json()) as { message: string }).message).toContain('tasklib');
});

test.each(['', '/api'])('its calls work below %j, and a foreign key is refused with a sentence', async (root) => {
  const rig = await openHttpRig();
  const { secret } = await rig.createKey('context7');
  const send = (path: string, key: string) =>
    rig.send(`${root}/v2/${path}`, { headers: { authorization: `Bearer ${key}` } });
  const found = await send('libs/search?query=x&libraryName=anything', secret);
  expect([found.status, await found.json()]).toEqual([200, { results: [] }]);
  for (const path of ['libs/search?query=x&libraryName=y', 'context?query=x&libraryId=y']) {
    const refused = await send(path, 'ctx7sk-not-ours');
    expect(refused.status).toBe(401);
    expect(((await refused.json()) as { message: string }).message.length).toBeGreaterThan(10);
  }
});
