import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** The state of the path to a service: open, `refusing` connections, or `silent` in both directions. */
export type ProxyState = 'open' | 'refusing' | 'silent';

export interface CuttableProxy {
  port: number;
  /** Sets the state. `refusing` breaks open connections, `silent` keeps them without traffic. */
  become(state: ProxyState): void;
  /** Drops all further traffic on open connections; later connections work. */
  mute(): void;
  /** Becomes `refusing` for this long after passing on so many further messages of the program; returns how many it has passed on since. */
  cutAfter(messages: number, awayMs: number): { passedOn(): number };
}

/** Starts a TCP proxy on a free loopback port that can fail like a network; closed after the test. */
export async function startCuttableProxy(targetPort: number): Promise<CuttableProxy> {
  let state: ProxyState = 'open';
  const sockets = new Set<Socket>();
  const muted = new WeakSet<Socket>();
  let heard: () => void = () => undefined;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  };
  const server = createServer((near) => {
    if (state === 'refusing') return void near.destroy();
    keep(near);
    const far = connect(targetPort, '127.0.0.1');
    keep(far);
    const passesOn = () => state === 'open' && !muted.has(near);
    near.on('data', (bytes) => passesOn() && far.write(bytes, heard)).on('close', () => far.destroy());
    far.on('data', (bytes) => passesOn() && near.write(bytes)).on('close', () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const end = () => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    end();
    server.close();
  });
  const become = (next: ProxyState) => {
    state = next;
    // What a silent network swallowed is lost, so that a connection cannot continue where it was.
    if (next !== 'silent') end();
  };
  return {
    port: (server.address() as AddressInfo).port,
    mute() {
      for (const socket of sockets) muted.add(socket);
    },
    become,
    cutAfter(messages, awayMs) {
      let count = 0;
      heard = () => {
        count += 1;
        if (count !== messages) return;
        become('refusing');
        setTimeout(() => become('open'), awayMs).unref();
      };
      return { passedOn: () => count };
    },
  };
}
