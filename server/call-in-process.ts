import type { Endpoint, InputOf, OutputOf } from '#contract/endpoint.ts';
import type { Context } from '#server/context.ts';
import { noBrowser } from '#server/features/accounts/index.ts';
import type { Call } from '#server/http/call-table.ts';

/** Carries out the call of an endpoint without a request. */
export async function callInProcess<E extends Endpoint>(
  calls: Call[],
  ctx: Context,
  endpoint: E,
  input: InputOf<E>,
): Promise<OutputOf<E>> {
  const found = calls.find((entry) => entry.endpoint === endpoint);
  if (found === undefined) throw new Error(`no handler for ${endpoint.method} ${endpoint.path}`);
  const effects = { browser: noBrowser, setSession: () => undefined };
  // The handler's output has the endpoint's type: `call` ties the two together.
  return (await found.run(ctx, input, effects)) as OutputOf<E>;
}
