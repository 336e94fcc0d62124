import { fileURLToPath } from 'node:url';
import { productToolNames } from '#contract/product-name.ts';

const launcher = fileURLToPath(new URL('../../lectern', import.meta.url));
const productName = 'Lectern';
/** The peer runner fills such names in when it runs. */
const variable = (name: string): string => `\${${name}}`;

export interface AdapterInput {
  /** Has an owner with this key; everything else is made by the run. */
  dataFolder: string;
  key: string;
  /** Where the product listens. */
  port: number;
  /** Of the server of pages, as LECTERN_ALLOW_HOSTS wants it. */
  pagesHost: string;
}

/**
 * How the peer runner drives the product: as a server that is told by the command what to index, and asked over
 * streamable HTTP with a key. No question names the set of documentation that answers it. One session asks all questions,
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
      // Makes the runner start the server: the command finds it running.
      { type: 'http', url: `${origin}/healthz` },
      { type: 'command', command: [launcher, ...command, ...place] },
    ],
  };
}

/**
 * Further ways to ask, each a row of its own: with the set of documentation named, as peers are told it, and for more tokens, as
 * peers send more without being asked.
 */
const waysToAsk = [
  { name: 'set named', args: { module: variable('corpus') } },
  { name: 'up to 4,000 tokens', args: { budget: 4_000 } },
  { name: 'up to 7,000 tokens', args: { budget: 7_000 } },
];

/** How it asks a server that runs already: each question in a session of its own, as different agents would. */
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
