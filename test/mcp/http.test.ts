import { beforeAll, describe, expect, test } from 'vitest';
import { clientKinds, connect, textOf } from './clients.ts';
import { contextOf, type TestContext } from './context-of.ts';
import { startMcpServer } from './mcp-server.ts';

const searchTool = 'lectern_search_documentation';
const readTool = 'lectern_read_url';
let ctx: TestContext;

beforeAll(async () => {
  ctx = await contextOf();
});

describe.each(clientKinds)('a %s client over HTTP', (kind) => {
  const named = (name: string) => ({ name: `${name} ${kind}` });

  test('finds the tools, searches and reads', async () => {
    const { url } = await startMcpServer(ctx);
    const { client, call } = await connect(kind, url, named('reader'));
    expect(client.getServerVersion()).toMatchObject({ name: 'Lectern' });
    expect(client.getInstructions()).toContain(searchTool);
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual([searchTool, readTool]);
    expect(tools.every((tool) => tool.annotations?.readOnlyHint)).toBe(true);
    const found = await call(searchTool, { query: 'create_task' });
    expect(textOf(found)).toContain('§ https://tasklib.example/tasks#create-task\nTasks');
    expect(found.structuredContent).toMatchObject({
      results: expect.arrayContaining([
        expect.objectContaining({ url: 'https://tasklib.example/tasks#create-task', title: 'Tasks > Creating tasks' }),
      ]),
    });
    const { results } = found.structuredContent as { results: { url: string }[] };
    const pages = results.map((result) => result.url.replace(/#.*/, ''));
    expect(new Set(pages).size).toBe(pages.length);
    const read = await call(readTool, { url: 'http://otherlib.example/guide' });
    expect(textOf(read)).toBe(
      '§ https://otherlib.example/guide.html\n\n# Guide to Otherlib\n\n## Jobs\n\nA job is cancelled with `stop_job`.',
    );
  });

  test('does not get the same passages twice, even after a server restart', async () => {
    const first = await startMcpServer(ctx);
    const { call, transport } = await connect(kind, first.url, named('forgetful'));
    expect(textOf(await call(searchTool, { query: 'create_task' }))).toContain('Call `create_task(name)`');
    expect(textOf(await call(searchTool, { query: 'create_task' }))).not.toContain('Call `create_task(name)`');
    await first.stop();
    const second = await startMcpServer(ctx);
    // The conversation continues: the transport keeps its session id and only switches to the new port.
    Object.assign(transport, { _url: new URL(second.url) });
    expect(textOf(await call(searchTool, { query: 'create_task' }))).not.toContain('Call `create_task(name)`');
  });

  test('gets a tool result with advice for errors that it can fix', async () => {
    const { url } = await startMcpServer(ctx);
    const { call } = await connect(kind, url, named('clumsy'));
    for (const [name, values, sentence] of [
      [searchTool, { query: '' }, /query is empty/],
      [searchTool, {}, /give query/],
      [searchTool, { query: 7 }, /query must be text/],
      [searchTool, { query: 'x'.repeat(100_000) }, /limit is 6,000/],
      [searchTool, { query: 'x', module: 'taskli' }, /Did you mean tasklib/],
      [searchTool, { query: 'x', budget: 20 }, /budget must be a number from 100 to 10000/],
      [readTool, { url: 'no address' }, /give the address of a page/],
      [readTool, { url: 'https://unknown.example/x' }, /not in any module.*could not be fetched/],
    ] as const) {
      const result = await call(name, values);
      expect(result.isError, `${name} ${JSON.stringify(values).slice(0, 60)}`).toBe(true);
      expect(textOf(result)).toMatch(sentence);
    }
  });

  test('gets a protocol error for an unknown tool', async () => {
    const { url } = await startMcpServer(ctx);
    const { call } = await connect(kind, url, named('lost'));
    const message = expect.stringContaining(
      `There is no tool "lectern_delete_everything". Call ${searchTool} or ${readTool}.`,
    );
    await expect(call('lectern_delete_everything', {})).rejects.toMatchObject({ code: -32602, message });
  });

  test('learns what to send for malformed arguments', async () => {
    const { url } = await startMcpServer(ctx);
    const { call } = await connect(kind, url, named('shapeless'));
    const raw = (values: unknown) => call(searchTool, values as Record<string, unknown>);
    for (const values of [null, undefined]) {
      const result = await raw(values);
      expect(result).toMatchObject({ isError: true });
      expect(textOf(result)).toBe('The request is not valid: give query.');
    }
    for (const values of ['{"query":"create_task"}', 7, true, [], [{ query: 'create_task' }]]) {
      const result = await raw(values);
      expect(result, JSON.stringify(values)).toMatchObject({ isError: true });
      expect(textOf(result)).toBe(
        'The request is not valid: arguments must be an object: {"query": "…"} to search, {"url": "…"} to read a page.',
      );
    }
  });

  test('gets both prompts, and an error for a missing argument', async () => {
    const { url } = await startMcpServer(ctx);
    const { client } = await connect(kind, url, named('prompter'));
    const { prompts } = await client.listPrompts();
    expect(prompts.map((prompt) => prompt.name)).toEqual(['search_docs', 'my_docs']);
    expect(prompts.every((prompt) => prompt.arguments?.[0]?.required)).toBe(true);
    const mine = await client.getPrompt({ name: 'my_docs', arguments: { query: 'Q' } });
    expect(mine.messages).toEqual([
      { role: 'user', content: { type: 'text', text: 'Q\n\nSearch lectern with source=private' } },
    ]);
    await expect(client.getPrompt({ name: 'search_docs' })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('Missing required argument: query'),
    });
    await expect(client.getPrompt({ name: 'constructor', arguments: { query: 'Q' } })).rejects.toMatchObject({
      code: -32602,
    });
  });

  test('lists modules as resources and reads them and their pages', async () => {
    const { url } = await startMcpServer(ctx);
    const { client } = await connect(kind, url, named('lister'));
    const { resources } = await client.listResources();
    expect(resources.map((resource) => resource.uri)).toEqual([
      'lectern://module/ours',
      'lectern://module/otherlib',
      'lectern://module/tasklib',
    ]);
    for (const { uri } of resources) {
      const { contents } = await client.readResource({ uri });
      expect(contents[0]).toMatchObject({ uri, mimeType: 'text/markdown' });
    }
    const page = await client.readResource({ uri: 'https://otherlib.example/guide.html' });
    expect(page.contents[0]).toMatchObject({ text: expect.stringContaining('stop_job') });
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map((template) => template.name)).toEqual(['module', 'pages', 'page']);
    for (const uri of ['lectern://module/nothing', 'https://unknown.example/', 'file:///etc/passwd']) {
      await expect(client.readResource({ uri })).rejects.toMatchObject({ code: expect.any(Number) });
    }
    const completed = await client.complete({
      ref: { type: 'ref/resource', uri: 'lectern://module/{id}' },
      argument: { name: 'id', value: 'ta' },
    });
    expect(completed.completion.values).toEqual(['tasklib']);
  });

  test('sees nothing that belongs to other users', async () => {
    const { url } = await startMcpServer(ctx);
    const { client, call } = await connect(kind, url, { ...named('stranger'), userId: 'bert' });
    const { resources } = await client.listResources();
    expect(JSON.stringify(resources)).not.toContain('ours');
    expect(textOf(await call(searchTool, { query: 'deploy' }))).not.toContain('intranet');
    const foreign = textOf(await call(readTool, { url: 'https://intranet.example/deploy' }));
    const missing = textOf(await call(readTool, { url: 'https://intranet.example/nothing' }));
    expect(foreign.replace('/deploy', '/nothing')).toBe(missing);
    await expect(client.readResource({ uri: 'lectern://module/ours' })).rejects.toThrow();
  });

  test('gets an empty list of resources, without an error, if nothing is indexed', async () => {
    const { url } = await startMcpServer(ctx, { modules: [] });
    const { client } = await connect(kind, url, named('early'));
    expect(await client.listResources()).toMatchObject({ resources: [] });
  });
});
