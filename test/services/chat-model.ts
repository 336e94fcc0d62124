import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

/** A chat completions request, with the fields that we send. */
export interface ModelQuestion {
  model: string;
  messages: { role: string; content: string | null; tool_calls?: unknown[] }[];
  tools?: { function: { name: string } }[];
  stream: boolean;
  max_tokens?: number;
}

/** The steps of one answer, in order. */
export type ModelStep =
  | { say: string }
  | { call: string; with: unknown; raw?: string }
  /** Text that is not an event of the protocol. */
  | { garbage: string }
  | { wait: Promise<unknown> }
  /** Cuts the connection. */
  | { break: true }
  /** The token counts that it reports. */
  | { usage: Record<string, number> }
  | { status: number };

export interface ModelServer {
  url: string;
  /** The variables to configure on the server. */
  environment: Record<string, string>;
  questions: ModelQuestion[];
  /** The key of each request. */
  keys: (string | undefined)[];
  /** Returns the number of answers in progress, without those whose reader has left. */
  underWay(): number;
  /** The next answers, in order; without one, the model cites the first passage. */
  script: ModelStep[][];
  stop(): Promise<void>;
}

const key = 'sk-chat-loopback';
const modelName = 'loopback-small';

/** Starts a server on loopback that speaks OpenAI's streamed chat completions without a model. */
export async function startModelServer(port = 0): Promise<ModelServer> {
  let open = 0;
  const server = createServer((request, response) => {
    open += 1;
    response.on('close', () => {
      open -= 1;
    });
    void answer(request, response, self);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/v1`;
  const self: ModelServer = {
    url,
    environment: { LECTERN_CHAT_URL: url, LECTERN_CHAT_MODEL: modelName, LECTERN_CHAT_KEY: key },
    questions: [],
    keys: [],
    underWay: () => open,
    script: [],
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return self;
}

async function answer(request: IncomingMessage, response: ServerResponse, self: ModelServer): Promise<void> {
  if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
    response.writeHead(404).end('{"error":{"message":"no such path"}}');
    return;
  }
  const question = JSON.parse(await text(request)) as ModelQuestion;
  self.questions.push(question);
  self.keys.push(request.headers.authorization);
  const steps = self.script.shift() ?? answerByItself(question);
  const refusal = steps.find((step) => 'status' in step);
  if (refusal !== undefined) {
    response.writeHead(refusal.status, { 'content-type': 'application/json' }).end('{"error":{"message":"hush"}}');
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  // The headers alone show that the server responds.
  response.flushHeaders();
  await play(steps, response);
}

async function play(steps: ModelStep[], response: ServerResponse): Promise<void> {
  const tell = (delta: unknown, finish: string | null = null) =>
    response.write(`data: ${JSON.stringify(chunkOf(delta, finish))}\n\n`);
  let calls = 0;
  for (const step of steps) {
    if (response.destroyed) return;
    if ('say' in step) for (const word of step.say.split(/(?<= )/)) tell({ content: word });
    if ('garbage' in step) response.write(step.garbage);
    if ('wait' in step) await step.wait;
    if ('break' in step) {
      // Written text is still sent, the end of the response is not.
      response.socket?.end();
      return;
    }
    if ('call' in step) {
      const call = { name: step.call, arguments: step.raw ?? JSON.stringify(step.with) };
      tell({ tool_calls: [{ index: calls, id: `call-${calls}`, type: 'function', function: call }] });
      calls += 1;
    }
  }
  tell({}, calls > 0 ? 'tool_calls' : 'stop');
  const told = steps.find((step) => 'usage' in step);
  const usage = told?.usage ?? { prompt_tokens: 900, completion_tokens: 40, total_tokens: 940 };
  response.write(`data: ${JSON.stringify({ ...chunkOf({}, null), choices: [], usage })}\n\n`);
  response.end('data: [DONE]\n\n');
}

function chunkOf(delta: unknown, finish: string | null) {
  const head = { id: 'answer', object: 'chat.completion.chunk', created: 1, model: modelName };
  return { ...head, choices: [{ index: 0, delta, finish_reason: finish }] };
}

/** Answers like a model that only repeats: the first line of the first passage, cited. */
function answerByItself({ messages }: ModelQuestion): ModelStep[] {
  const last = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const passage = /^--- \w+ passage 1 .*\n([\s\S]*?)\n--- /m.exec(last)?.[1];
  if (passage === undefined) return [{ say: 'The documentation found here does not say.' }];
  return [{ say: `From the documentation: ${passage.trim().split('\n')[0]} [1]` }];
}
