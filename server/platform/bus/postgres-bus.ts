import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { serverOf } from '../db/postgres-dialect.ts';
import { translatePostgresError } from '../db/postgres-errors.ts';
import type { Logger } from '../log.ts';
import type { Bus } from './bus.ts';
import { Listeners } from './listeners.ts';

const channel = 'bus';
// An empty text on the channel means that a sender has dropped messages.
const gapNotice = '';
// Reached only during a long outage of the server; then listeners must treat everything as changed.
const waitingMax = 10_000;
const connectTimeoutMs = 10_000;
const keepAliveDelayMs = 10_000;
const pauseMs = { first: 50, longest: 5_000 };
const closePatienceMs = 2_000;
/** A listening connection does not notice that it is dead, so it is checked this often. */
const askEveryMs = 10_000;

/**
 * Creates a bus for all processes on the same PostgreSQL database, using LISTEN and NOTIFY on a separate connection.
 * While it is broken, messages wait; after a reconnect they are sent, and everything is announced as changed (`onGap`).
 */
export async function postgresBus(url: string, log: Logger): Promise<Bus> {
  const bus = new PostgresBus(url, log);
  await bus.start();
  return bus;
}

class PostgresBus implements Bus {
  readonly #url: string;
  readonly #log: Logger;
  readonly #listeners: Listeners;
  readonly #parts = new PartsReader();
  readonly #closing = new AbortController();
  #asking: NodeJS.Timeout | undefined;
  /** The connection whose last check is still pending. */
  #asked: pg.Client | undefined;
  #waiting: string[] = [];
  #client: pg.Client | undefined;
  #sending: Promise<void> = Promise.resolve();
  #reconnecting: Promise<void> = Promise.resolve();

  constructor(url: string, log: Logger) {
    this.#url = url;
    this.#log = log;
    this.#listeners = new Listeners(log);
  }

  async start(): Promise<void> {
    this.#client = await this.#connect();
    this.#asking = setInterval(() => this.#ask(), askEveryMs);
    this.#asking.unref();
  }

  publish(topic: string, payload: string): void {
    if (this.#closing.signal.aborted) return;
    this.#waiting.push(...toParts({ topic, payload }));
    if (this.#waiting.length > waitingMax) this.#waiting = [gapNotice];
    this.#send();
  }

  subscribe(topic: string, listener: (payload: string) => void): () => void {
    return this.#listeners.add(topic, listener);
  }

  onGap(listener: () => void): () => void {
    return this.#listeners.addForGap(listener);
  }

  async close(): Promise<void> {
    clearInterval(this.#asking);
    const patience = AbortSignal.timeout(closePatienceMs);
    while (this.#client && this.#waiting.length > 0 && !patience.aborted) await this.#sending;
    this.#closing.abort();
    const client = this.#client;
    this.#client = undefined;
    await client?.end();
    await this.#reconnecting;
  }

  /**
   * Sends all waiting messages in one statement, after the previous one: this keeps their order and keeps parts
   * together.
   */
  #send(): void {
    this.#sending = this.#sending.then(async () => {
      const client = this.#client;
      const parts = this.#waiting;
      if (!client || parts.length === 0) return;
      this.#waiting = [];
      try {
        await client.query(
          'select pg_notify($1, part) from unnest($2::text[]) with ordinality as parts (part, at) order by at',
          [channel, parts],
        );
      } catch (error) {
        this.#waiting.unshift(...parts);
        this.#lose(client, error);
      }
    });
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#url,
      connectionTimeoutMillis: connectTimeoutMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveDelayMs,
    });
    client.on('error', (error) => this.#lose(client, error));
    client.on('end', () => this.#lose(client, undefined));
    client.on('notification', ({ payload }) => this.#receive(payload ?? ''));
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw translatePostgresError(error, serverOf(this.#url));
    }
    return client;
  }

  /** Drops a connection that has not responded to its last check. */
  #ask(): void {
    const client = this.#client;
    if (client === undefined) return;
    if (this.#asked === client) {
      // Runs after pending data has been read, because this process may have been busy itself.
      setImmediate(() => {
        if (this.#asked === client) this.#lose(client, new Error('no answer'));
      });
      return;
    }
    this.#asked = client;
    const answered = () => {
      if (this.#asked === client) this.#asked = undefined;
    };
    // Changes nothing, and lets the connection still be recognized as a listening one.
    client.query(`listen ${channel}`).then(answered, () => undefined);
  }

  #receive(payload: string): void {
    if (payload === gapNotice) return this.#listeners.deliverGap();
    const message = this.#parts.read(payload);
    if (message) this.#listeners.deliver(message.topic, message.payload);
  }

  #lose(client: pg.Client, error: unknown): void {
    if (this.#client !== client || this.#closing.signal.aborted) return;
    this.#client = undefined;
    this.#parts.clear();
    this.#log.warn({ err: error }, 'the connection of the bus broke; connecting again');
    client.end().catch(() => undefined);
    this.#reconnecting = this.#reconnect();
  }

  async #reconnect(): Promise<void> {
    for (let pause = pauseMs.first; !this.#closing.signal.aborted; pause = Math.min(pause * 2, pauseMs.longest)) {
      try {
        const client = await this.#connect();
        if (this.#closing.signal.aborted) return await client.end();
        this.#client = client;
        this.#log.info('the bus is connected again');
        this.#send();
        this.#listeners.deliverGap();
        return;
      } catch (error) {
        this.#log.debug({ err: error }, 'the bus is still not connected');
      }
      await delay(pause, undefined, { signal: this.#closing.signal, ref: false }).catch(() => undefined);
    }
  }
}

interface BusMessage {
  topic: string;
  payload: string;
}

// PostgreSQL rejects notifications of 8,000 bytes; a part's header takes less than 60.
const partCharacters = 7_900;

/** Splits a message into texts that each fit in a notification. */
function toParts(message: BusMessage): string[] {
  const text = Buffer.from(JSON.stringify([message.topic, message.payload])).toString('base64');
  const count = Math.ceil(text.length / partCharacters);
  const id = randomUUID();
  return Array.from({ length: count }, (_, at) => {
    const piece = text.slice(at * partCharacters, (at + 1) * partCharacters);
    return `${id}:${at}:${count}:${piece}`;
  });
}

/** Reassembles messages. Parts of one message arrive in order, possibly interleaved with others. */
class PartsReader {
  readonly #begun = new Map<string, string>();

  /** Reads one part; returns the message if the part completes it. */
  read(part: string): BusMessage | undefined {
    const [id, at, count, piece] = part.split(':');
    if (id === undefined || at === undefined || count === undefined || piece === undefined) return undefined;
    const before = this.#begun.get(id);
    if (Number(at) > 0 && before === undefined) return undefined;
    const text = (before ?? '') + piece;
    if (Number(at) + 1 < Number(count)) {
      this.#begun.set(id, text);
      return undefined;
    }
    this.#begun.delete(id);
    const [topic, payload] = JSON.parse(Buffer.from(text, 'base64').toString('utf8')) as [string, string];
    return { topic, payload };
  }

  /** Drops incomplete messages. */
  clear(): void {
    this.#begun.clear();
  }
}
