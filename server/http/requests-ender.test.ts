import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { requestsEnder } from './end-connections.ts';

test('stopping waits for requests in progress but not for idle connections', async () => {
  const asked = Promise.withResolvers<ServerResponse>();
  const server = createServer((_request, response) => asked.resolve(response));
  const endRequests = requestsEnder(server, 3_600_000);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const ahead = connect(port, '127.0.0.1');
  await once(ahead, 'connect');
  const answer = fetch(`http://127.0.0.1:${port}/`).then((response) => response.text());
  const response = await asked.promise;
  const ended = endRequests();
  await once(ahead.resume(), 'close');
  response.end('the whole answer');
  expect(await answer).toBe('the whole answer');
  await ended;
});
