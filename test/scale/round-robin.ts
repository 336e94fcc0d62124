import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

/** A proxy in front of several processes: sends requests in turn to those that report ready. */
export class RoundRobin {
  /** Requests that reached a closed port and went to the next process. */
  refused = 0;
  /** Requests whose connection broke before the response was complete; repeated with the same idempotency key. */
  cut = 0;
  readonly #targets = new Map<string, boolean>();
  readonly #ended = new AbortController();
  #next = 0;

  constructor() {
    void this.#watch();
  }

  add(url: string): void {
    this.#targets.set(url, true);
  }

  remove(url: string): void {
    this.#targets.delete(url);
  }

  end(): void {
    this.#ended.abort();
  }

  /** Sends a request to the next process; after a connection error it tries another, after a response never. */
  async send(path: string, init: RequestInit): Promise<Response> {
    const limit = performance.now() + 60_000;
    for (;;) {
      const url = this.#turn();
      try {
        if (url === undefined) throw Object.assign(new Error('nobody is ready'), { cause: { code: 'ECONNREFUSED' } });
        const response = await fetch(`${url}${path}`, init);
        // Read here, so that a response cut in the middle is requested again too.
        return new Response(await response.arrayBuffer(), response);
      } catch (error) {
        const { code } = ((error as Error).cause ?? {}) as { code?: string };
        if (code === 'ECONNREFUSED') this.refused += 1;
        else this.cut += 1;
        if (performance.now() > limit) throw error;
        await delay(20);
      }
    }
  }

  #turn(): string | undefined {
    const ready = [...this.#targets].filter(([, isReady]) => isReady).map(([url]) => url);
    this.#next += 1;
    return ready[this.#next % Math.max(ready.length, 1)];
  }

  async #watch(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      await Promise.all(
        [...this.#targets.keys()].map(async (url) => {
          const isReady = await fetch(`${url}/healthz`).then(
            ({ ok }) => ok,
            () => false,
          );
          if (this.#targets.has(url)) this.#targets.set(url, isReady);
        }),
      );
      await delay(100, undefined, { signal: this.#ended.signal }).catch(() => undefined);
    }
  }
}

/** An agent of the session-bearing protocol, each of whose requests goes to another process. */
export class Agent {
  /** All responses so far. */
  readonly received: string[] = [];
  readonly #proxy: RoundRobin;
  readonly #headers: Record<string, string>;

  private constructor(proxy: RoundRobin, headers: Record<string, string>) {
    this.#proxy = proxy;
    this.#headers = headers;
  }

  static async connect(proxy: RoundRobin, key: string): Promise<Agent> {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'drill', version: '1' },
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    const response = await proxy.send('/mcp', { method: 'POST', headers, body });
    const session = response.headers.get('mcp-session-id');
    if (!response.ok || session === null) throw new Error(`initialize: ${response.status} ${await response.text()}`);
    return new Agent(proxy, { ...headers, 'mcp-session-id': session });
  }

  /** Throws for anything but a result, including a tool's refusal. */
  async search(query: string): Promise<void> {
    const params = {
      name: 'lectern_search_documentation',
      arguments: { query },
      _meta: { 'lectern/idempotency-key': randomUUID() },
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params });
    const response = await this.#proxy.send('/mcp', { method: 'POST', headers: this.#headers, body });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${response.status} ${text}`);
    const { result } = JSON.parse(text) as { result?: { isError?: boolean; content: { text: string }[] } };
    if (result === undefined || result.isError === true) throw new Error(text);
    this.received.push(result.content.map((part) => part.text).join('\n'));
  }
}
