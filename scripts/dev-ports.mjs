import { connect, createServer } from 'node:net';

/** Where development serves each part beside the web server: all of them are the one server. */
export const devPorts = { identity: 9099, 'live reads': 8080, functions: 5001 };

/**
 * Passes connections to each of `ports` on to the server, whenever it runs. A port that is taken is named on standard
 * error and left out. Answers the ports that are open and the way to close them.
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

/** Both ends go together: a server that restarts must not leave readers with a dead connection. */
function passOn(client, serverPort) {
  const server = connect(serverPort, '127.0.0.1');
  client.pipe(server).pipe(client);
  const end = () => {
    client.destroy();
    server.destroy();
  };
  for (const socket of [client, server]) socket.on('error', end).on('close', end);
}
