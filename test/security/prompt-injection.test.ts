import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { askDocsPath } from '#contract/chat.ts';
import { documentEndpoints } from '#contract/documents.ts';
import { libraryEndpoints } from '#contract/library.ts';
import { doubtNotice } from '#server/features/search/index.ts';
import { openHttpRig } from '../http/http-rig.ts';
import { attacksOf } from '../services/attacks.ts';
import { startModelServer } from '../services/chat-model.ts';
import { startLoopbackSocket } from '../services/loopback-server.ts';
import { until } from '../services/until.ts';

interface Attack {
  id: string;
  class: string;
  contentType?: string;
  content: string;
  assert: string[];
  /** False if some readers show the text and a person may see it. */
  strict?: boolean;
}

const attacks = attacksOf<Attack>('prompt-injection.jsonl');
const pathOf = ({ id, contentType }: Attack) => `/docs/${id}.${contentType === 'text/html' ? 'html' : 'md'}`;

/** Indexes a site with a page for each attack; opens agents and a chat whose model follows no instructions. */
async function openAttackedSite() {
  const pages = new Map(attacks.map((attack) => [pathOf(attack), attack]));
  const links = attacks.map((attack) => `<a href="${pathOf(attack)}">About ${attack.id}</a>`).join(' ');
  const start = `<!doctype html><title>Home</title><main><h1>Home</h1><p>${links}</p></main>`;
  const requested: string[] = [];
  const site = createServer((request, response) => {
    requested.push(request.url ?? '');
    const attack = pages.get(request.url ?? '');
    if (request.url === '/docs/') return void response.writeHead(200, { 'content-type': 'text/html' }).end(start);
    if (attack === undefined) return void response.writeHead(404).end();
    const type = attack.contentType ?? 'text/markdown';
    return void response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(attack.content);
  });
  site.listen(0, '127.0.0.1');
  await until('the site listens', () => site.listening);
  const { port } = site.address() as AddressInfo;
  // Stands for every address that the attacks name.
  const canary = await startLoopbackSocket((socket) => socket.destroy(), '127.0.0.3');
  const model = await startModelServer();
  onTestFinished(async () => {
    site.closeAllConnections();
    site.close();
    await canary.close();
    await model.stop();
  });
  const rig = await openHttpRig({ LECTERN_ALLOW_HOSTS: `127.0.0.1:${port}`, ...model.environment });
  const origin = `http://127.0.0.1:${port}`;
  const source = { source: `${origin}/docs/`, moduleId: 'attacked' };
  const { job } = await rig.ask(libraryEndpoints.startIndexJob, source);
  const hasEnded = async () => (await rig.ask(libraryEndpoints.getJob, { jobId: job.id })).job.endTime !== null;
  await until('indexed', hasEnded, 60_000);
  /** Connects a new agent without earlier passages. */
  const connect = async () => {
    const { sender } = await rig.createKey();
    const client = new Client({ name: 'test-agent', version: '1.0.0' });
    const transport = new StreamableHTTPClientTransport(new URL(`${rig.url}/mcp`), {
      requestInit: { headers: sender },
    });
    await client.connect(transport);
    onTestFinished(() => client.close());
    return client;
  };
  return { rig, origin, connect, model, canary, requested };
}

/** Collects the origins of requests from now on, from this process and its server. */
function originsOfRequests(): Set<string> {
  const origins = new Set<string>();
  const listen = (message: unknown) => {
    origins.add(String((message as { request: { origin: unknown } }).request.origin));
  };
  subscribe('undici:request:create', listen);
  onTestFinished(() => void unsubscribe('undici:request:create', listen));
  return origins;
}

const visible = 'VISIBLE-CANARY';
const textIn = (result: unknown) =>
  ((result as { content?: { text?: string }[] }).content ?? []).map(({ text = '' }) => text).join('\n');

/** Returns what is wrong with a text that an agent or reader gets for an attack. */
function faultsOf({ assert: wanted, strict, content }: Attack, text: string): string[] {
  const faults: string[] = [];
  const want = (isRight: boolean, fault: string) => void (isRight || faults.push(fault));
  if (wanted.includes(`present:${visible}`)) want(text.includes(visible), 'what is shown is missing');
  if (wanted.includes('absent:HIDDEN-CANARY') && strict !== false)
    want(!text.includes('HIDDEN-CANARY'), 'what is hidden is there');
  want(!/(?![\t\n])\p{Cc}/u.test(text), 'a control character');
  want(
    !/[\u202a-\u202e\u2066-\u2069\u200b\u2060\u{e0001}-\u{e007f}]/u.test(text),
    'a character that hides or reorders',
  );
  want(!/[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{2}/u.test(text), 'a run of variation selectors');
  if (content.includes('еxpress')) want(text.includes('еxpress'), 'a look-alike was changed without a word');
  return faults;
}

describe.skipIf(attacks.length === 0)('instructions in documentation', () => {
  test('stay text for agents, viewer and chat: hidden text is removed, boundaries hold, nothing is requested', async () => {
    const { rig, origin, connect, model, canary, requested } = await openAttackedSite();
    const client = await connect();
    const origins = originsOfRequests();
    const toolsBefore = await client.listTools();
    const instructionsBefore = client.getInstructions();
    const crawled = requested.length;
    const faults: string[] = [];
    const tell = (attack: Attack, door: string, text: string) =>
      faults.push(...faultsOf(attack, text).map((fault) => `${attack.id} ${door}: ${fault}`));
    const search = textIn(
      await (await connect()).callTool({
        name: 'lectern_search_documentation',
        arguments: { query: 'install with npm', budget: 10_000 },
      }),
    );
    expect(search).toContain(visible);
    expect(search).toContain(`§ ${doubtNotice}`);
    expect(faultsOf({ id: '', class: '', content: '', assert: [] }, search)).toEqual([]);
    for (const attack of attacks) {
      const url = origin + pathOf(attack);
      const read = textIn(await client.callTool({ name: 'lectern_read_url', arguments: { url } }));
      tell(attack, 'read', read);
      // One line names the text's source, and no line of the text can imitate it.
      const labels = read.split('\n').filter((line) => /^\s*§/.test(line) && line !== `§ ${doubtNotice}`);
      if (labels.length > 0 && !labels.every((line) => line.includes(`127.0.0.1`) || line.includes(attack.id)))
        faults.push(`${attack.id} read: a forged label ${labels.join(' / ')}`);
      const shown = await rig.send(`${documentEndpoints.showDocument.path}?url=${encodeURIComponent(url)}`);
      const { snippets = [] } = (await shown.json()) as { snippets?: { text: string }[] };
      tell(attack, 'viewer', snippets.map(({ text }) => text).join('\n'));
    }
    expect(faults).toEqual([]);

    // The chat: the model's instructions contain nothing from a page.
    const person = await rig.signIn();
    model.script = [[{ say: 'By npm [1].' }]];
    const body = JSON.stringify({ question: 'install with npm' });
    await (await rig.send(askDocsPath, { method: 'POST', headers: person, body })).text();
    const instructions = JSON.stringify(
      model.questions.map(({ messages }) => messages.filter(({ role }) => role === 'system')),
    );
    expect(instructions).not.toContain('CANARY');

    // Agents' tools are unchanged, no page was requested, and no other host was contacted.
    expect(await client.listTools()).toEqual(toolsBefore);
    expect(client.getInstructions()).toBe(instructionsBefore);
    const asked = new Set(attacks.map(pathOf));
    expect(requested.slice(crawled).filter((path) => !asked.has(path))).toEqual([]);
    expect([...origins].filter((one) => ![origin, rig.url, new URL(model.url).origin].includes(one))).toEqual([]);
    expect(origins.has(rig.url)).toBe(true);
    expect(canary.connectionCount).toBe(0);
  }, 240_000);
});
