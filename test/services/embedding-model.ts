import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

export interface EmbeddingServer {
  url: string;
  /** The variables to configure on the server. */
  environment: Record<string, string>;
  /** The texts of each request. */
  asked: string[][];
  /** The key of each request. */
  keys: (string | undefined)[];
  /** Replaces the vectors; undefined responds as usual. */
  answer: ((texts: string[]) => { status: number; body: string }) | undefined;
  stop(): Promise<void>;
}

const key = 'sk-embeddings-loopback';
const modelName = 'loopback-meanings';

/** Words in one row have the same meaning; the model knows no others. */
const meanings = [
  ['undo', 'take back', 'move the branch', 'revert'],
  ['refused', 'nothing listens', 'daemon'],
  ['kettle', 'boil', 'hot water'],
  ['port', 'address', 'configuration'],
  ['sorted', 'lists', 'elements'],
  ['teapot', 'brew', 'pour'],
];

/**
 * Returns how often a text contains each meaning, scaled to length 1; every entry is slightly above zero, so that no
 * vector is empty.
 */
export function vectorOf(said: string): number[] {
  const lower = said.toLowerCase();
  const counts = meanings.map((words) => words.filter((word) => lower.includes(word)).length);
  const numbers = [...counts.map((count) => count + 0.01), 0.01, 0.01];
  return numbers.map((number) => number / Math.hypot(...numbers));
}

/** Starts a server on loopback that speaks OpenAI's embeddings API, based on a list of words. */
export async function startEmbeddingServer(port = 0): Promise<EmbeddingServer> {
  const server = createServer((request, response) => void respond(request, response, self));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/v1`;
  const environment = {
    LECTERN_EMBEDDINGS_URL: url,
    LECTERN_EMBEDDINGS_MODEL: modelName,
    LECTERN_EMBEDDINGS_KEY: key,
  };
  const self: EmbeddingServer = {
    ...{ url, environment, asked: [], keys: [], answer: undefined },
    async stop() {
      server.closeAllConnections();
      server.close();
      if (server.listening) await once(server, 'close');
    },
  };
  return self;
}

async function respond(request: IncomingMessage, response: ServerResponse, self: EmbeddingServer): Promise<void> {
  const { model, input } = JSON.parse(await text(request)) as { model: string; input: string[] };
  self.asked.push(input);
  self.keys.push(request.headers.authorization);
  const data = input.map((said, index) => ({ object: 'embedding', index, embedding: vectorOf(said) }));
  // In any order, since only the index counts.
  const usual = { status: 200, body: JSON.stringify({ object: 'list', model, data: data.reverse() }) };
  const { status, body } = self.answer?.(input) ?? usual;
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}
