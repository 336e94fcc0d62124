import { productToolNames } from '#contract/product-name.ts';
import { callMcp, type McpReply, mcpProtocolVersion } from '../../../lib/mcp-call.ts';

export const connectionSteps = ['initialize', 'tools', 'search'] as const;
export type ConnectionStep = (typeof connectionSteps)[number];

export interface StepResult {
  step: ConnectionStep;
  isGood: boolean;
  latencyMs: number;
  /** A short form of the server's response. */
  summary: string;
  /** The response, cut to fit the screen. */
  answer: string;
  /** How to fix a failure. */
  wayOut?: string;
}

const answerCharactersMax = 2_000;

/** A call whose response is not what the step needs; `wayOut` says how to fix it. */
class StepFault extends Error {
  readonly wayOut: string;
  readonly answer: string;

  constructor(summary: string, wayOut: string, answer = '') {
    super(summary);
    this.wayOut = wayOut;
    this.answer = answer;
  }
}

/**
 * Acts like an agent with a key: opens an MCP session, lists the tools and searches. Reports each step when it ends and
 * stops at the first failure. Sends the key in a header; a search with results costs a credit, as always.
 */
export async function testConnection(
  input: { secret: string; productName: string; query: string; signal: AbortSignal },
  tell: (result: StepResult) => void,
): Promise<boolean> {
  const { secret, productName, query, signal } = input;
  let session: string | null = null;
  const post: Post = async (method, params, id) => {
    const reply = await callMcp({ method, params, id, secret, session, signal });
    session = reply.sessionId ?? session;
    return reply;
  };
  const steps = stepsOf(post, productName, query);
  for (const step of connectionSteps) {
    const startedAt = performance.now();
    const told = { step, isGood: false, latencyMs: 0 };
    try {
      const { summary, answer } = await steps[step]();
      tell({ ...told, isGood: true, latencyMs: performance.now() - startedAt, summary, answer: textOf(answer) });
    } catch (error) {
      signal.throwIfAborted();
      const fault = error instanceof StepFault ? error : offline;
      tell({
        ...told,
        latencyMs: performance.now() - startedAt,
        summary: fault.message,
        answer: textOf(fault.answer),
        wayOut: fault.wayOut,
      });
      return false;
    }
  }
  return true;
}

type Post = (method: string, params: object | undefined, id?: number) => Promise<McpReply>;
type Steps = Record<ConnectionStep, () => Promise<{ summary: string; answer: unknown }>>;

function stepsOf(post: Post, productName: string, query: string): Steps {
  return {
    async initialize() {
      const clientInfo = { name: 'connection-test', version: '1' };
      const reply = await post('initialize', { protocolVersion: mcpProtocolVersion, capabilities: {}, clientInfo }, 1);
      const { serverInfo } = resultOf<{ serverInfo?: { name: string; version: string } }>(reply);
      await post('notifications/initialized', undefined);
      return {
        summary: `${serverInfo?.name ?? 'The server'} ${serverInfo?.version ?? ''} responded`,
        answer: reply.body,
      };
    },
    async tools() {
      const reply = await post('tools/list', {}, 2);
      const { tools = [] } = resultOf<{ tools?: { name: string }[] }>(reply);
      if (!tools.some(({ name }) => name === productToolNames(productName).search || name === 'search')) {
        throw new StepFault(
          'The search tool is missing',
          'Restart the server; it may be an older version.',
          textOf(reply.body),
        );
      }
      return { summary: tools.map(({ name }) => name).join(', '), answer: reply.body };
    },
    async search() {
      const name = productToolNames(productName).search;
      const reply = await post('tools/call', { name, arguments: { query } }, 3);
      const { content = [], isError } = resultOf<{ content?: { text?: string }[]; isError?: boolean }>(reply);
      const text = content.map((part) => part.text ?? '').join('\n');
      if (isError === true) throw new StepFault('The search was refused', 'Follow the message, then test again.', text);
      return { summary: text === '' ? 'Nothing was found' : 'The search returned results', answer: text };
    },
  };
}

const offline = new StepFault(
  'The server is not responding',
  'Check that the server runs and that nothing between this browser and it (a proxy, a firewall) blocks /mcp.',
);

/** Returns a call's result; throws a fault with a remedy if the call was refused. */
function resultOf<Result>({ status, body }: McpReply): Partial<Result> {
  const { result, error } = (typeof body === 'object' && body !== null ? body : {}) as {
    result?: Partial<Result>;
    error?: { message?: string };
  };
  if (status === 200 && result !== undefined) return result;
  const said = error?.message ?? `The server responded with status ${status}`;
  throw new StepFault(said, wayOutOf(status), textOf(body));
}

function wayOutOf(status: number): string {
  switch (status) {
    case 401:
      return 'The key may have been revoked in the meantime. Choose another one, or create a new key.';
    case 403:
      return 'The server does not accept calls from this address. Open this page under the address in LECTERN_PUBLIC_URL.';
    case 404:
    case 405:
    case 502:
      return 'Another program responds at /mcp. Configure the proxy to forward that path to the server.';
    case 429:
      return 'Too many calls were made. Wait a minute, then test again.';
    case 503:
      return 'The server is restarting. Wait a moment, then test again.';
    default:
      return "Test again. If it still fails, check the server's log.";
  }
}

function textOf(answer: unknown): string {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer, null, 2);
  return text.length > answerCharactersMax ? `${text.slice(0, answerCharactersMax)}…` : text;
}
