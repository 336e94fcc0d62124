import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { askDocsPath } from '#contract/chat.ts';
import { identityEndpoints } from '#contract/identity.ts';
import * as limits from '#contract/limits.ts';
import { arrivingOfOneMax } from '#server/http/bounded-body.ts';
import { until } from '../services/until.ts';
import { openHttpRig } from './http-rig.ts';

const { path } = identityEndpoints.signInWithEmail;

test('unfinished bodies from one network cannot fill the memory; its small bodies and other networks’ bodies are read', async () => {
  const rig = await openHttpRig({ LECTERN_TRUSTED_PROXIES: '127.0.0.1' });
  const answers: string[] = [];
  /** Sends a body without its last byte. */
  const begin = (head: string): Socket => {
    const socket = connect(rig.port, '127.0.0.1').on('error', () => {});
    socket.on('data', (piece: Buffer) => answers.push(piece.toString('latin1')));
    const address = 'x-forwarded-for: 192.0.2.1';
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${address}\r\ncontent-type: application/json\r\n${head}\r\n\r\n`,
    );
    return socket;
  };
  const whole = arrivingOfOneMax / limits.requestBytesMax;
  const held = Array.from({ length: whole }, (_, at) => {
    const isInPieces = at % 2 === 0;
    const socket = begin(isInPieces ? 'transfer-encoding: chunked' : `content-length: ${limits.requestBytesMax}`);
    socket.write(isInPieces ? '1\r\na\r\n' : Buffer.alloc(limits.requestBytesMax - 1, 'a'));
    return socket;
  });
  const signIn = async (from: string, password: string) => {
    const headers = { 'x-forwarded-for': from };
    const body = JSON.stringify({ email: 'anna@example.org', password });
    return (await rig.send(path, { method: 'POST', headers, body })).status;
  };
  const large = 'a'.repeat(100_000);
  await until('there is no room left', async () => (await signIn('192.0.2.1', large)) === 429);
  expect(answers).toEqual([]);
  const refused = begin(`content-length: ${limits.requestBytesMax}`);
  await until('it is refused', () => answers.length === 1);
  expect(answers[0]).toMatch(/^HTTP\/1\.1 429 [\s\S]*connection: close/i);
  expect([await signIn('192.0.2.1', 'a'), await signIn('192.0.2.2', large)]).toEqual([401, 400]);
  for (const socket of [...held, refused]) socket.destroy();
  await until('there is room again', async () => (await signIn('192.0.2.1', large)) === 400);
});

test('a body with too many values is refused before it is parsed, at each kind of address', async () => {
  const rig = await openHttpRig();
  const { sender } = await rig.createKey();
  // Parsing it would fail: no list is closed.
  const body = '['.repeat(limits.valuesPerRequestMax + 1);
  for (const address of ['/api/profiles', '/callable/createApiKeyCallableV2', askDocsPath, '/mcp']) {
    const who = address === '/mcp' ? sender : rig.operator;
    const headers = { ...who, 'content-type': 'application/json' };
    const answer = await rig.send(address, { method: 'POST', headers, body });
    expect([address, answer.status]).toEqual([address, 400]);
    expect(await answer.text()).toContain('has too many values');
  }
});

test.each([
  'POST /api/keys',
  'POST /callable/createApiKeyCallableV2',
  'POST /admin/teams',
  'POST /mcp',
  'PUT /api/pdf-uploads/none/parts?offset=0',
])('the unread body of a refused %s does not block the connection’s next request', async (name) => {
  const rig = await openHttpRig();
  let answers = '';
  const socket = connect(rig.port, '127.0.0.1').on('data', (piece: Buffer) => {
    answers += piece.toString('latin1');
  });
  const body = 'a'.repeat(900_000);
  const head = `host: 127.0.0.1\r\nauthorization: Bearer unknown\r\ncontent-length: ${body.length}`;
  socket.write(`${name} HTTP/1.1\r\n${head}\r\n\r\n${body}GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`);
  await until('both are answered', () => /HTTP\/1\.1 401[\s\S]*HTTP\/1\.1 200/.test(answers));
  socket.destroy();
});
