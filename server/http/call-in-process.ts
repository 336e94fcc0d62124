import type { Endpoint, InputOf, OutputOf } from '#contract/endpoint.ts';
import type { Context } from '#server/context.ts';
import { type Call, noBrowser } from '#server/features/call.ts';

/** Returns a function that calls an endpoint without a request. */
export function callInProcess(calls: readonly Call[], contextOf: () => Context) {
  return async <E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<OutputOf<E>> => {
    const found = calls.find((entry) => entry.endpoint === endpoint);
    if (found === undefined) throw new Error(`no handler for ${endpoint.method} ${endpoint.path}`);
    const effects = { browser: noBrowser, setSession: () => undefined, setDevice: () => undefined };
    // `serve` ensures that the handler's output has the endpoint's type.
    return (await found.run(contextOf(), input, effects)) as OutputOf<E>;
  };
}
