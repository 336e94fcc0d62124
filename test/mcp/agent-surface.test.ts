import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agentSurfaceEndpoints } from '#contract/agent-surface.ts';
import { describeAgentSurface } from '#server/mcp/describe-agent-surface.ts';
import { openHttpRig } from '../http/http-rig.ts';
import { connect } from './clients.ts';
import { contextOf } from './context-of.ts';
import { startMcpServer } from './mcp-server.ts';

const written = join(import.meta.dirname, '../../web/lib/agent-surface.json');

test('agent-surface.json matches what agents are sent (update with vitest -u)', async () => {
  const { productName } = (await openHttpRig()).running.installation.config;
  await expect(`${JSON.stringify(describeAgentSurface(productName), null, 2)}\n`).toMatchFileSnapshot(written);
});

test('the description matches what a client is sent', async () => {
  const { url } = await startMcpServer(await contextOf());
  const { client } = await connect('session-bearing', url);
  const { tools, prompts, resources, instructions } = describeAgentSurface('Lectern');
  expect((await client.listTools()).tools).toEqual(tools.map(({ definition }) => definition));
  expect((await client.listPrompts()).prompts).toEqual(prompts.map(({ definition }) => definition));
  const templates = (await client.listResourceTemplates()).resourceTemplates;
  expect(templates).toEqual(resources.map(({ definition }) => definition));
  expect(client.getInstructions()).toBe(instructions.text);
});

test('the server returns the description with its own product name, to visitors too', async () => {
  const rig = await openHttpRig({ PRODUCT_NAME: 'Reading Desk' });
  const surface = await rig.ask(agentSurfaceEndpoints.getAgentSurface, {}, rig.visitor);
  expect(surface.tools.map(({ name }) => name)).toEqual(['reading_desk_search_documentation', 'reading_desk_read_url']);
  expect(surface).toEqual(describeAgentSurface('Reading Desk'));
});

test('the MCP endpoint returns a page to clients that request one, and to no others', async () => {
  const rig = await openHttpRig();
  for (const accept of ['text/html,application/xhtml+xml,*/*;q=0.8', 'text/markdown']) {
    expect((await rig.send('/mcp', { headers: { accept } })).headers.get('content-type')).toMatch(/^text\//);
  }
  for (const accept of ['text/event-stream', 'application/json, text/event-stream', '*/*']) {
    expect((await rig.send('/mcp', { headers: { accept } })).headers.get('content-type')).not.toMatch(
      /^text\/(html|plain)/,
    );
  }
  const posted = await rig.send('/mcp', { method: 'POST', headers: { accept: 'text/html' }, body: '{}' });
  expect(posted.status).toBe(401);
});

test('the endpoint also works with a trailing slash', async () => {
  const rig = await openHttpRig();
  const initialize = {
    ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'editor', version: '1' } },
  };
  const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const body = JSON.stringify(initialize);
  for (const method of ['POST', 'GET', 'DELETE', 'OPTIONS']) {
    const ofBoth = ['/mcp', '/mcp/'].map(async (path) => {
      const sent = await rig.send(path, { method, headers: json, ...(method === 'POST' ? { body } : {}) });
      return [sent.status, sent.headers.get('www-authenticate'), await sent.text()];
    });
    const [without, withSlash] = await Promise.all(ofBoth);
    expect(withSlash, method).toEqual(without);
  }
  const { sender } = await rig.createKey();
  const opened = await rig.send('/mcp/?project=shop', { method: 'POST', headers: { ...json, ...sender }, body });
  expect(opened.status).toBe(200);
  const session = { ...json, ...sender, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  expect((await rig.send('/mcp/', { method: 'DELETE', headers: session })).status).toBeLessThan(300);
  const described = await rig.send('/.well-known/oauth-protected-resource/mcp/');
  expect(await described.json()).toMatchObject({ resource: `${rig.url}/mcp` });
});
