import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { jsonOf } from '#contract/lenient.ts';

const lineCharactersMax = 1_000_000;

/**
 * Transports messages as lines of two streams. When the input ends, the transport closes as soon as every request
 * received has its response, so that a client may write its requests and close at once.
 */
export class StdioLines implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #unanswered = new Set<string | number>();
  #pending = '';
  #hasEnded = false;
  #isClosed = false;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  async start(): Promise<void> {
    this.#input.setEncoding('utf8');
    this.#input.on('data', (chunk: string) => this.#read(chunk));
    const end = () => {
      this.#hasEnded = true;
      this.#closeWhenAnswered();
    };
    this.#input.once('end', end);
    this.#input.once('close', end);
    this.#input.on('error', (error) => this.onerror?.(error));
    // A client that has exited cannot receive anything.
    this.#output.on('error', () => void this.close());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return;
    await new Promise<void>((resolve) => this.#output.write(`${JSON.stringify(message)}\n`, () => resolve()));
    if ('id' in message && message.id !== undefined && !('method' in message)) this.#unanswered.delete(message.id);
    this.#closeWhenAnswered();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#input.pause();
    this.onclose?.();
  }

  #read(chunk: string): void {
    const lines = (this.#pending + chunk).split('\n');
    this.#pending = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') this.#deliver(line);
    if (this.#pending.length > lineCharactersMax) {
      this.onerror?.(new Error('A message is too long.'));
      void this.close();
    }
  }

  #deliver(line: string): void {
    const message = messageOf(line);
    if (message === undefined) {
      this.#output.write(
        '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"This line is not a JSON-RPC message."}}\n',
      );
      return;
    }
    if ('method' in message && 'id' in message) this.#unanswered.add(message.id);
    // A cancelled call gets no response.
    else if ('method' in message && message.method === 'notifications/cancelled')
      this.#unanswered.delete(message.params?.['requestId'] as string | number);
    this.onmessage?.(message);
  }

  #closeWhenAnswered(): void {
    if (this.#hasEnded && this.#unanswered.size === 0) void this.close();
  }
}

/** Parses the message of a line; undefined for anything else. */
function messageOf(line: string): JSONRPCMessage | undefined {
  const said = jsonOf(line) as Partial<Record<'jsonrpc' | 'id' | 'method' | 'params', unknown>> | null | undefined;
  if (typeof said !== 'object' || said?.jsonrpc !== '2.0') return undefined;
  const { params = {} } = said;
  // The SDK would ignore it, and the client would wait.
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return undefined;
  const hasId = typeof said.id === 'string' || Number.isSafeInteger(said.id);
  const isCall = typeof said.method === 'string' && (hasId || said.id === undefined);
  const isAnswer = said.method === undefined && hasId && ('result' in said || 'error' in said);
  return isCall || isAnswer ? (said as JSONRPCMessage) : undefined;
}
