import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { createOutbound } from '#server/platform/outbound/index.ts';
import type { ModelPart } from './language-model.ts';
import { openLanguageModel } from './open-language-model.ts';

const request = {
  instructions: 'Answer from the passages.',
  messages: [{ role: 'user' as const, text: 'When is it open?' }],
  tools: [{ name: 'search', description: 'Searches.', inputSchema: { type: 'object', properties: {} } }],
  outputTokensMax: 500,
};

/** The events with which Anthropic's Messages API streams a response with a tool call. */
const events = [
  {
    type: 'message_start',
    message: {
      id: 'm1',
      model: 'claude',
      role: 'assistant',
      content: [],
      usage: { input_tokens: 11, output_tokens: 1 },
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'I look ' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'it up.' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 't1', name: 'search', input: {} } },
  { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"query":"hours"}' } },
  { type: 'content_block_stop', index: 1 },
  { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 7 } },
  { type: 'message_stop' },
];

/** Starts a server that responds to each request with those events. */
async function startAnthropic(status = 200) {
  const asked: { path: string; key: string | undefined; body: Record<string, unknown> }[] = [];
  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const { url = '', headers } = incoming;
    asked.push({
      path: url,
      key: headers['x-api-key']?.toString(),
      body: JSON.parse(await text(incoming)) as object as never,
    });
    if (status !== 200)
      return response.writeHead(status).end('{"type":"error","error":{"type":"api_error","message":"no"}}');
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
  };
  const server = createServer((incoming, response) => void answer(incoming, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  const outbound = createOutbound({ allowHosts: [host], userAgent: 'Test/1' });
  onTestFinished(() => outbound.close());
  return { asked, url: `http://${host}/v1`, outbound };
}

function openProvider(packageName: string, { url, outbound }: Awaited<ReturnType<typeof startAnthropic>>) {
  const config = { kind: 'provider' as const, packageName, url, key: 'sk-loopback', model: 'claude-small' };
  return openLanguageModel(config, { outbound, silenceMs: 10_000 }) ?? expect.fail('there is no model');
}

async function partsOf(parts: AsyncIterable<ModelPart>): Promise<ModelPart[]> {
  const all: ModelPart[] = [];
  for await (const part of parts) all.push(part);
  return all;
}

test('an AI SDK provider installed next to the product responds through the guarded connection', async () => {
  const service = await startAnthropic();
  const model = openProvider('@ai-sdk/anthropic', service);
  const parts = await partsOf(model.answer(request, new AbortController().signal));
  expect(parts).toEqual([
    { type: 'text', delta: 'I look ' },
    { type: 'text', delta: 'it up.' },
    { type: 'tool-call', call: { id: 't1', name: 'search', input: { query: 'hours' } } },
    { type: 'finish', inputTokens: 11, outputTokens: 7 },
  ]);
  expect(service.asked).toMatchObject([
    { path: '/v1/messages', key: 'sk-loopback', body: { model: 'claude-small', stream: true, max_tokens: 500 } },
  ]);
  expect(JSON.stringify(service.asked[0]?.body)).toContain('Answer from the passages.');
});

test('a provider that is missing or refuses is reported as a model that gives no answer', async () => {
  const service = await startAnthropic(401);
  const refusal = async (packageName: string) =>
    partsOf(openProvider(packageName, service).answer(request, new AbortController().signal)).then(
      () => 'an answer',
      (error: Error) => `${error.name}: ${error.message}`,
    );
  expect(await refusal('@ai-sdk/not-there')).toBe(
    'ModelError: the package @ai-sdk/not-there of LECTERN_CHAT_PROVIDER is not installed',
  );
  expect(await refusal('zod')).toContain('ModelError: ');
  expect(await refusal('@ai-sdk/anthropic')).toContain('ModelError: claude-small gave no answer');
});
