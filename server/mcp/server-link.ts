import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/server';
import { jsonOf } from '#contract/lenient.ts';
import * as limits from '#contract/limits.ts';

/** What the server says to one message. */
export interface ServerResponse {
  status: number;
  text: string;
}

export interface ServerAddress {
  /** Address of the server's protocol endpoint, for example http://127.0.0.1:7331/mcp. */
  url: string;
  key: string;
}

/** Takes what a server says in a stream. */
export type Hear = (message: JSONRPCMessage) => void | Promise<void>;

interface Session {
  id: string;
  protocolVersion: string;
}

const protocolVersionKey = 'io.modelcontextprotocol/protocolVersion';
const sessionHeader = 'mcp-session-id';
/** What a server speaks that does not say it. */
const assumedProtocolVersion = '2025-06-18';
const goodbyeTimeoutMs = 2_000;

/**
 * Carries messages to a server over HTTP, with the headers each era of the protocol asks for. It needs no package: the
 * relay also runs in a clone that has none yet. The operator named the server, so no address guard is needed.
 */
export class ServerLink {
  readonly #address: ServerAddress;
  #handshake: JSONRPCRequest | undefined;
  #session: Session | undefined;

  constructor(address: ServerAddress) {
    this.#address = address;
  }

  /**
   * Sends a message; a session the server no longer knows is started again first. The answer is undefined when the server
   * streams: then everything it says is heard by `hear`, the answer too.
   */
  async send(message: JSONRPCMessage, hear: Hear): Promise<ServerResponse | undefined> {
    if (isRequest(message, 'initialize')) this.#handshake = message;
    const used = this.#session;
    const response = await this.#post(message, hear);
    if (response?.status !== 404 || used === undefined || this.#handshake === undefined) return response;
    // Only the first of several calls that find the session gone starts a new one.
    if (this.#session === used) await this.#post(this.#handshake, hear);
    return this.#post(message, hear);
  }

  /** Ends the session, when there is one; never fails. */
  async close(): Promise<void> {
    if (this.#session === undefined) return;
    const headers = sessionHeaders(this.#session);
    await this.#request({ method: 'DELETE', headers }, goodbyeTimeoutMs).catch(() => undefined);
  }

  async #post(message: JSONRPCMessage, hear: Hear): Promise<ServerResponse | undefined> {
    const request = {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'accept-encoding': 'identity',
        ...headersOf(message, this.#session),
      },
      body: JSON.stringify(message),
    };
    const response = await this.#request(request, limits.callTimeoutSeconds * 1000);
    if (response.headers.get('content-type')?.startsWith('text/event-stream') === true) {
      const take = messagesOf(hear);
      for await (const chunk of response.body ?? []) await take(chunk);
      return undefined;
    }
    const said = { status: response.status, text: await response.text() };
    const id = response.headers.get(sessionHeader);
    if (isRequest(message, 'initialize') && id !== null) {
      const answer = jsonOf(said.text) as { result?: { protocolVersion?: string } } | undefined;
      this.#session = { id, protocolVersion: answer?.result?.protocolVersion ?? assumedProtocolVersion };
    }
    return said;
  }

  async #request(request: { method: string; headers: Record<string, string>; body?: string }, timeoutMs: number) {
    const { url, key } = this.#address;
    const headers = { ...request.headers, authorization: `Bearer ${key}` };
    const signal = AbortSignal.timeout(timeoutMs);
    return fetch(url, { ...request, headers, redirect: 'manual', signal }).catch((cause: unknown) => {
      const why = signal.aborted ? `did not answer within ${timeoutMs / 1000} s` : 'could not be reached';
      throw new Error(`The server ${new URL(url).origin} ${why}. Check its address and that it runs.`, { cause });
    });
  }
}

/** Takes the events of a stream apart; what is no message (a comment, an empty event) is passed over. */
function messagesOf(hear: Hear): (chunk: Uint8Array) => Promise<void> {
  const decoder = new TextDecoder();
  let pending = '';
  return async (chunk) => {
    const events = (pending + decoder.decode(chunk, { stream: true })).split(/\r?\n\r?\n/);
    pending = events.pop() ?? '';
    for (const event of events) {
      const lines = event.split(/\r?\n/).filter((line) => line.startsWith('data:'));
      const text = lines.map((line) => line.slice('data:'.length)).join('\n');
      if (text.trim() !== '') await hear(JSON.parse(text) as JSONRPCMessage);
    }
  };
}

export function isRequest(message: JSONRPCMessage, method: string): message is JSONRPCRequest {
  return 'method' in message && 'id' in message && message.method === method;
}

function headersOf(message: JSONRPCMessage, session: Session | undefined): Record<string, string> {
  // An answer to a question that the server put in this session.
  if (!('method' in message)) return session === undefined ? {} : sessionHeaders(session);
  const params = (message.params ?? {}) as { _meta?: Record<string, unknown>; name?: unknown; uri?: unknown };
  const version = params._meta?.[protocolVersionKey];
  if (typeof version !== 'string') {
    return session === undefined || message.method === 'initialize' ? {} : sessionHeaders(session);
  }
  const name = params.name ?? params.uri;
  return {
    'mcp-protocol-version': version,
    'mcp-method': message.method,
    ...(typeof name === 'string' ? { 'mcp-name': headerValue(name) } : {}),
  };
}

function sessionHeaders(session: Session): Record<string, string> {
  return { [sessionHeader]: session.id, 'mcp-protocol-version': session.protocolVersion };
}

/** Header values hold visible ASCII; anything else is sent in Base64 as the protocol says. */
function headerValue(value: string): string {
  return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith('=?base64?')
    ? value
    : `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`;
}
