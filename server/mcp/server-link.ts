import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/server';
import { jsonOf } from '#contract/lenient.ts';
import * as limits from '#contract/limits.ts';

export interface ServerResponse {
  status: number;
  text: string;
}

export interface ServerAddress {
  /** Address of the server's protocol endpoint, for example http://127.0.0.1:7331/mcp. */
  url: string;
  key: string;
}

/** Receives the messages a server sends in a stream. */
export type Hear = (message: JSONRPCMessage) => void | Promise<void>;

interface Session {
  id: string;
  protocolVersion: string;
}

const protocolVersionKey = 'io.modelcontextprotocol/protocolVersion';
const sessionHeader = 'mcp-session-id';
/** Protocol version of a server that does not name one. */
const assumedProtocolVersion = '2025-06-18';
const goodbyeTimeoutMs = 2_000;

/**
 * Sends messages to a server over HTTP, with the headers each protocol era requires. Needs no package, because the
 * relay also runs in a clone without installed packages. Needs no address guard, because the operator configured the
 * server.
 */
export class ServerLink {
  readonly #address: ServerAddress;
  #handshake: JSONRPCRequest | undefined;
  #session: Session | undefined;

  constructor(address: ServerAddress) {
    this.#address = address;
  }

  /**
   * Sends a message; if the server no longer knows the session, starts a new one first. Returns undefined if the server
   * streams: then `hear` receives all messages, including the response.
   */
  async send(message: JSONRPCMessage, hear: Hear): Promise<ServerResponse | undefined> {
    if (isRequest(message, 'initialize')) this.#handshake = message;
    const used = this.#session;
    const response = await this.#post(message, hear);
    if (response?.status !== 404 || used === undefined || this.#handshake === undefined) return response;
    // Of several calls that find the session gone, only the first starts a new one.
    if (this.#session === used) await this.#post(this.#handshake, hear);
    return this.#post(message, hear);
  }

  /** Ends the session, if there is one; never fails. */
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

/** Parses the events of a stream; skips events without a message (comments, empty events). */
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
  // A response to a question that the server asked in this session.
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

/** Encodes a header value: visible ASCII is sent as is, anything else in Base64 as the protocol requires. */
function headerValue(value: string): string {
  return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith('=?base64?')
    ? value
    : `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`;
}
