import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { serverOf } from '../db/postgres-dialect.ts';
import { translatePostgresError } from '../db/postgres-errors.ts';
import type { Logger } from '../log.ts';
import type { Bus } from './bus.ts';
import { Listeners } from './listeners.ts';

const channel = 'bus';
// Empty text on the channel: someone could not send all it had to.
const gapNotice = '';
// Reached only when the server is away for long: everyone is then told to look at everything.
const waitingMax = 10_000;
const connectTimeoutMs = 10_000;
const keepAliveDelayMs = 10_000;
const pauseMs = { first: 50, longest: 5_000 };
const closePatienceMs = 2_000;
/** A listener does not notice a dead connection, so it checks this often. */
const askEveryMs = 10_000;

/**
 * Reaches every process on the same PostgreSQL database, by LISTEN and NOTIFY on one connection of its own. While it is
 * broken, messages wait; once it is back they are sent and everything is announced as changed (`onGap`).
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
  /** The connection whose last question has no answer yet. */
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

  /** Everything that waits goes in one statement, after the one before it: order is kept, parts stay together. */
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

  /** Gives a connection up that did not answer what it was asked the last time. */
  #ask(): void {
    const client = this.#client;
    if (client === undefined) return;
    if (this.#asked === client) {
      // After what has come meanwhile was read: this process may have been busy itself.
      setImmediate(() => {
        if (this.#asked === client) this.#lose(client, new Error('no answer'));
      });
      return;
    }
    this.#asked = client;
    const answered = () => {
      if (this.#asked === client) this.#asked = undefined;
    };
    // What changes nothing, and leaves the connection to be known as one that listens.
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

// PostgreSQL refuses notifications of 8,000 bytes; the head of a part takes less than 60.
const partCharacters = 7_900;

/** Cuts a message into texts that each fit a notification. */
function toParts(message: BusMessage): string[] {
  const text = Buffer.from(JSON.stringify([message.topic, message.payload])).toString('base64');
  const count = Math.ceil(text.length / partCharacters);
  const id = randomUUID();
  return Array.from({ length: count }, (_, at) => {
    const piece = text.slice(at * partCharacters, (at + 1) * partCharacters);
    return `${id}:${at}:${count}:${piece}`;
  });
}

/** Puts messages together again. Parts of one message come in order, with parts of others between them. */
class PartsReader {
  readonly #begun = new Map<string, string>();

  /** Takes one part; answers the message when it was the last one of it, undefined otherwise. */
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

  /** Forgets messages whose rest will not come. */
  clear(): void {
    this.#begun.clear();
  }
}
