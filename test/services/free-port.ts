import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Returns a free port of 127.0.0.1, for a program that must be given its port. It is below the ephemeral ports (from
 * 32768 on Linux), which another test's connection could take before the program listens.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if (await canListen(port)) return port;
  }
}

/** Returns true if a server could listen on this port of 127.0.0.1 now. */
export async function canListen(port: number): Promise<boolean> {
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  await new Promise((resolve) => server.close(resolve));
  return isFree;
}
