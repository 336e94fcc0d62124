import type Stripe from 'stripe';
import type { Outbound } from '../../outbound/index.ts';
import { stripeSdk } from '../stripe-sdk.ts';

const callTimeoutMs = 20_000;
const answerBytesMax = 5_000_000;

/** The SDK, its requests sent through the guarded way out. A request that got no answer is sent again, under its key. */
export function createStripeClient({ secretKey, url }: { secretKey: string; url: string }, outbound: Outbound): Stripe {
  const { protocol, hostname, port } = new URL(url);
  const Sdk = stripeSdk();
  return new Sdk(secretKey, {
    host: hostname,
    port: port || (protocol === 'https:' ? 443 : 80),
    protocol: protocol === 'https:' ? 'https' : 'http',
    maxNetworkRetries: 2,
    timeout: callTimeoutMs,
    telemetry: false,
    httpClient: Sdk.createFetchHttpClient(fetchThrough(outbound)),
  });
}

/** `fetch` as far as the SDK uses it. */
function fetchThrough(outbound: Outbound): Parameters<typeof Stripe.createFetchHttpClient>[0] {
  return async (input, init = {}) => {
    const address = input instanceof Request ? input.url : String(input);
    const answer = await outbound.request(address, {
      method: init.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init.headers).entries()),
      // The SDK sends forms, as text.
      body: typeof init.body === 'string' ? init.body : undefined,
      redirectsMax: 0,
      timeoutMs: callTimeoutMs,
      bytesMax: answerBytesMax,
    });
    const headers = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined || name === 'content-encoding' || name === 'content-length' ? [] : [[name, String(value)]],
    );
    return new Response(new TextDecoder().decode(answer.body), { status: answer.status, headers });
  };
}
