import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A port of 127.0.0.1 that nothing listens on now, for a program that must be told its port.
 * It lies below those the system gives to outgoing connections (from 32768 on Linux): one of those may be taken again
 * by a connection of another test between the asking and the listening.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if (await canListen(port)) return port;
  }
}

/** Returns true if a server could listen on the port of 127.0.0.1 now. */
export async function canListen(port: number): Promise<boolean> {
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  await new Promise((resolve) => server.close(resolve));
  return isFree;
}
