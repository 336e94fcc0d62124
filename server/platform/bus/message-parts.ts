import { randomUUID } from 'node:crypto';

export interface BusMessage {
  topic: string;
  payload: string;
}

// PostgreSQL refuses notifications of 8,000 bytes; the head of a part takes less than 60.
const partCharacters = 7_900;

/** Cuts a message into texts that each fit a notification. */
export function toParts(message: BusMessage): string[] {
  const text = Buffer.from(JSON.stringify([message.topic, message.payload])).toString('base64');
  const count = Math.ceil(text.length / partCharacters);
  const id = randomUUID();
  return Array.from({ length: count }, (_, at) => {
    const piece = text.slice(at * partCharacters, (at + 1) * partCharacters);
    return `${id}:${at}:${count}:${piece}`;
  });
}

/** Puts messages together again. Parts of one message come in order, with parts of others between them. */
export class PartsReader {
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
