import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** A name server on loopback that serves TXT records and IPv4 addresses. */
export interface DnsServer {
  /** The value for LECTERN_DNS_SERVERS. */
  address: string;
  /** TXT records by lower-case name; other names do not exist. */
  records: Map<string, string[]>;
  addresses: Map<string, string>;
  /** While true every lookup fails (SERVFAIL). */
  isFailing: boolean;
  stop(): Promise<void>;
}

const [addressType, textType] = [1, 16];
const internetClass = 1;
const serverFailure = 2;
const nameError = 3;

/** Starts a name server on a free port. Messages follow RFC 1035. */
export async function startDnsServer(): Promise<DnsServer> {
  const records = new Map<string, string[]>();
  const addresses = new Map<string, string>();
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    socket.send(answerTo(query, server), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const server: DnsServer = {
    address: `127.0.0.1:${socket.address().port}`,
    records,
    addresses,
    isFailing: false,
    stop: () => new Promise((resolve) => socket.close(() => resolve())),
  };
  return server;
}

function answerTo(query: Buffer, { records, addresses, isFailing }: DnsServer): Buffer {
  const { name, end } = readQuestion(query);
  const [texts, address] = [records.get(name), addresses.get(name)];
  const asked = isFailing ? undefined : query.readUInt16BE(end - 4);
  const answers =
    asked === textType
      ? (texts ?? []).map(textRecord)
      : asked === addressType && address !== undefined
        ? [recordOf(addressType, Buffer.from(address.split('.').map(Number)))]
        : [];
  const head = Buffer.alloc(12);
  head.writeUInt16BE(query.readUInt16BE(0), 0);
  // An authoritative answer that repeats the question.
  head.writeUInt16BE(
    0x8580 | (isFailing ? serverFailure : texts === undefined && address === undefined ? nameError : 0),
    2,
  );
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(answers.length, 6);
  return Buffer.concat([head, query.subarray(12, end), ...answers]);
}

function readQuestion(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.subarray(at + 1, at + 1 + length).toString('latin1'));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5 };
}

function textRecord(text: string): Buffer {
  const parts = Buffer.from(text).length > 255 ? [text.slice(0, 200), text.slice(200)] : [text];
  return recordOf(
    textType,
    Buffer.concat(parts.flatMap((part) => [Buffer.from([Buffer.byteLength(part)]), Buffer.from(part)])),
  );
}

function recordOf(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12);
  // A pointer to the name at byte 12 of the message.
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(internetClass, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
