import type { IncomingMessage, Server } from 'node:http';

/** Under a minute, with what it takes to notice. */
export const headersMsMax = 50_000;
export const slownessNoticedMs = 5_000;
const lookMs = 55_000;
/** What has to arrive between two looks: a file may come slowly, a body of a byte a second holds a connection and nothing else. */
const bytesMin = 64_000;

/** Ends connections whose request body comes so slowly that no one can want it. */
export function endSlowBodies(server: Server, everyMs = lookMs): void {
  server.on('request', (request: IncomingMessage) => {
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
    if (coding === undefined && (length === undefined || length === '0')) return;
    const { socket } = request;
    let read = socket.bytesRead;
    const look = () => {
      if (!request.complete && socket.bytesRead - read < bytesMin) socket.destroy();
      read = socket.bytesRead;
    };
    // After what has arrived was read: a process that stood still for a moment is not the sender's fault.
    const timer = setInterval(() => setImmediate(look), everyMs);
    const stop = () => {
      clearInterval(timer);
      // Many requests come over one connection.
      socket.off('close', stop);
    };
    request.once('end', stop).once('close', stop);
    socket.once('close', stop);
  });
}
