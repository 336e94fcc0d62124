import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/server';
import { jsonOf } from '#contract/lenient.ts';
import { type Hear, isRequest, type ServerAddress, ServerLink, type ServerResponse } from './server-link.ts';
import { StdioLines } from './stdio-lines.ts';

export interface ThinStdioDeps extends ServerAddress {
  input: Readable;
  output: Writable;
}

/**
 * Relays every message to a server over HTTP and its responses back, in both protocol eras. Resolves when the input has
 * closed and every request has its response.
 */
export async function runThinStdio(deps: ThinStdioDeps): Promise<void> {
  const transport = new StdioLines(deps.input, deps.output);
  const link = new ServerLink(deps);
  // No message may overtake the handshake: its response names the session for all other messages.
  let handshake: Promise<unknown> = Promise.resolve();
  const forward = (message: JSONRPCMessage): Promise<JSONRPCMessage | undefined> => {
    const hear: Hear = (said) => transport.send(said);
    if (!isRequest(message, 'initialize')) return handshake.then(() => answerTo(message, link, hear));
    const answer = answerTo(message, link, hear);
    handshake = answer;
    return answer;
  };
  await new Promise<void>((resolve) => {
    transport.onclose = resolve;
    transport.onmessage = (message) => {
      forward(message)
        .then((answer) => (answer === undefined ? undefined : transport.send(answer)))
        .catch(() => transport.close());
    };
    void transport.start();
  });
  await link.close();
}

/** Responds to every request with an error that says what is missing; resolves when the input has closed. */
export async function refuseOnStdio(
  sentence: string,
  { input, output }: Pick<ThinStdioDeps, 'input' | 'output'>,
): Promise<void> {
  const transport = new StdioLines(input, output);
  await new Promise<void>((resolve) => {
    transport.onclose = resolve;
    transport.onmessage = (message) => {
      if ('method' in message && 'id' in message) void transport.send(failureTo(message.id, sentence));
    };
    void transport.start();
  });
}

/**
 * Returns the response to a request, even if the server sends none; undefined for messages without a response. Never
 * rejects.
 */
async function answerTo(message: JSONRPCMessage, link: ServerLink, hear: Hear): Promise<JSONRPCMessage | undefined> {
  const id = 'method' in message && 'id' in message ? message.id : undefined;
  if (isRequest(message, 'subscriptions/listen')) return noStreams(message);
  try {
    let isAnswered = false;
    const response = await link.send(message, (said) => {
      isAnswered ||= !('method' in said);
      return hear(said);
    });
    if (response === undefined && !isAnswered && id !== undefined) {
      return failureTo(id, 'The server stopped in the middle of its response. Try again.');
    }
    return id === undefined || response === undefined ? undefined : withId(id, response);
  } catch (error) {
    return id === undefined ? undefined : failureTo(id, error instanceof Error ? error.message : String(error));
  }
}

function withId(id: string | number, response: ServerResponse): JSONRPCMessage {
  const body = jsonOf(response.text);
  if (typeof body !== 'object' || body === null || !('jsonrpc' in body)) {
    return failureTo(id, `The server returned status ${response.status}. Check its address.`);
  }
  // Responses from outside the protocol carry no id, but still belong to this request.
  return { ...(body as JSONRPCMessage), id } as JSONRPCMessage;
}

function failureTo(id: string | number, message: string): JSONRPCMessage {
  return { jsonrpc: '2.0', id, error: { code: -32603, message } };
}

function noStreams({ id }: JSONRPCRequest): JSONRPCMessage {
  return { jsonrpc: '2.0', id, error: { code: -32601, message: 'This server sends no change notifications.' } };
}
