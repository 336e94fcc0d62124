/** Shorter than the silence after which clients and proxies give up. */
const wordEveryMs = 5_000;
const comment = new TextEncoder().encode(': still here\n\n');

/** A stream of events that says something now and then while there is nothing to say. `onEnd` runs when it is over. */
export function keptAlive(response: Response, body: ReadableStream<Uint8Array>, onEnd: () => void): Response {
  const reader = body.getReader();
  let timer: NodeJS.Timeout | undefined;
  const end = () => {
    clearInterval(timer);
    onEnd();
  };
  const kept = new ReadableStream<Uint8Array>({
    start(controller) {
      timer = setInterval(() => controller.enqueue(comment), wordEveryMs);
      timer.unref();
    },
    async pull(controller) {
      const { done, value } = await reader.read();
      if (!done) return controller.enqueue(value);
      end();
      controller.close();
    },
    async cancel(reason) {
      end();
      await reader.cancel(reason);
    },
  });
  return new Response(kept, { status: response.status, headers: response.headers });
}
