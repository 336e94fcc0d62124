import { fileURLToPath } from 'node:url';
import { productToolNames } from '#contract/product-name.ts';

const launcher = fileURLToPath(new URL('../../lectern', import.meta.url));
const productName = 'Lectern';
/** Returns a placeholder that the peer runner fills in when it runs. */
const variable = (name: string): string => `\${${name}}`;

export interface AdapterInput {
  /** Contains an owner with this key; everything else is created by the run. */
  dataFolder: string;
  key: string;
  /** The port the product listens on. */
  port: number;
  /** Host of the page server, in the format of LECTERN_ALLOW_HOSTS. */
  pagesHost: string;
}

/**
 * How the peer runner drives the product: the command line tells the server what to index, and questions are asked over
 * streamable HTTP with a key. No question names the documentation set that answers it. One session asks all questions,
 * the first one twice.
 */
export function ourAdapter({ dataFolder, key, port, pagesHost }: AdapterInput): Record<string, unknown> {
  const place = ['--data', dataFolder, '--port', String(port)];
  const command = ['index', variable('start_url'), '--name', variable('corpus'), '--max-pages', '20000', '--wait'];
  const origin = `http://127.0.0.1:${port}`;
  return {
    ...asking(origin, key),
    name: 'lectern, one session',
    note: 'no set is named; what was sent is not sent again in the session that asks all questions',
    node: 24,
    env: { LECTERN_ALLOW_HOSTS: pagesHost, LECTERN_OWN_DOCS: 'off', PRODUCT_NAME: productName },
    data: [dataFolder],
    server: { command: [launcher, 'start', ...place], ready: { url: `${origin}/healthz`, timeout_s: 120 } },
    index: [
      // Makes the runner start the server, so that the command finds it running.
      { type: 'http', url: `${origin}/healthz` },
      { type: 'command', command: [launcher, ...command, ...place] },
    ],
  };
}

/**
 * Further ways to query, each with its own row: with the documentation set named, as for peers, and with a larger
 * budget, because peers send more by default.
 */
const waysToAsk = [
  { name: 'set named', args: { module: variable('corpus') } },
  { name: 'up to 4,000 tokens', args: { budget: 4_000 } },
  { name: 'up to 7,000 tokens', args: { budget: 7_000 } },
];

/** Returns an adapter for a running server: each question has its own session, as with different agents. */
export function freshSessionsAdapter(origin: string, key: string): Record<string, unknown> {
  const { search, ...others } = asking(origin, key);
  return {
    ...others,
    search: { ...search, restart_every: 1, variants: waysToAsk },
    index: [],
    name: 'lectern',
    note: 'no set is named; a session for each question',
  };
}

function asking(origin: string, key: string) {
  const names = productToolNames(productName);
  const address = String.raw`^§ (http\S+)`;
  return {
    mcp: { url: `${origin}/mcp`, headers: { authorization: `Bearer ${key}` } },
    search: { tool: names.search, args: { query: variable('query') }, url_regex: address },
    read: { tool: names.read, arg_regex: address, args: { url: variable('first') } },
  };
}
