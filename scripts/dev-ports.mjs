import { connect, createServer } from 'node:net';

/** Development ports for each part besides the web server; all of them lead to the one server. */
export const devPorts = { identity: 9099, 'live reads': 8080, functions: 5001 };

/**
 * Forwards connections on each of `ports` to the server whenever it runs. A port in use is reported on standard error
 * and skipped. Returns the open ports and a function that closes them.
 */
export async function openDevPorts(serverPort, ports = devPorts) {
  const opened = await Promise.all(
    Object.entries(ports).map(async ([part, port]) => {
      const server = createServer((client) => passOn(client, serverPort));
      const error = await listening(server, port);
      if (error === undefined) return { part, server, port: server.address().port };
      process.stderr.write(`${part} is not served on port ${port}: ${error.code ?? error.message}\n`);
      return undefined;
    }),
  );
  const open = opened.filter((entry) => entry !== undefined);
  return {
    ports: Object.fromEntries(open.map(({ part, port }) => [part, port])),
    close: () => open.forEach(({ server }) => server.close()),
  };
}

function listening(server, port) {
  return new Promise((fulfil) => {
    server.once('error', fulfil);
    server.listen(port, '127.0.0.1', () => fulfil(undefined));
  });
}

/** Closes both ends together: a server that restarts must not leave readers with a dead connection. */
function passOn(client, serverPort) {
  const server = connect(serverPort, '127.0.0.1');
  client.pipe(server).pipe(client);
  const end = () => {
    client.destroy();
    server.destroy();
  };
  for (const socket of [client, server]) socket.on('error', end).on('close', end);
}
