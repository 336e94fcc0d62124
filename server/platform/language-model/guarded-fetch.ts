import type { Outbound } from '../outbound/index.ts';

/** A model that writes more than this in one answer is broken: 2,000 tokens with their wrapping take some 600 kB. */
const answerBytesMax = 5_000_000;

/** `fetch` as far as the SDK uses it: every request passes the guarded way out, bodies are read as they come. */
export function guardedFetch(outbound: Outbound, silenceMs: number): typeof globalThis.fetch {
  return async (address, init = {}) => {
    const url = address instanceof Request ? address.url : String(address);
    const answer = await outbound.stream(url, {
      method: init.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init.headers).entries()),
      body: typeof init.body === 'string' ? init.body : undefined,
      idleTimeoutMs: silenceMs,
      bytesMax: answerBytesMax,
      signal: init.signal ?? undefined,
    });
    const hasBody = ![204, 205, 304].includes(answer.status);
    if (!hasBody) await answer.body.cancel();
    return new Response(hasBody ? answer.body : null, { status: answer.status, headers: { ...answer.headers } });
  };
}
