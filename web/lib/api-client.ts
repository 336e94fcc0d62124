import { config, type z } from 'zod';
import { type Endpoint, type InputOf, type OutputOf, toRequest } from '#contract/endpoint.ts';
import { limits } from '#contract/limits.ts';
import { errorFromEnvelope, offlineError, unreadableError } from './api-error.ts';

// Schemas compiled on the fly would need eval, which the content security policy forbids.
config({ jitless: true });

/**
 * Calls an endpoint of the contract with the session cookie and checks the answer against its schema.
 * Throws `ApiError`; a call ended by `signal` throws that signal's reason.
 */
export async function callApi<Input extends z.ZodType, Output extends z.ZodType>(
  endpoint: Endpoint<Input, Output>,
  input: InputOf<Endpoint<Input, Output>>,
  signal?: AbortSignal,
): Promise<OutputOf<Endpoint<Input, Output>>> {
  const { path, body } = toRequest(endpoint, input as Record<string, unknown>);
  const answer = await send(path, endpoint.method, body, signal);
  const content: unknown = await answer.json().catch(() => undefined);
  signal?.throwIfAborted();
  if (!answer.ok) throw errorFromEnvelope(content);
  const parsed = endpoint.output.safeParse(content);
  if (!parsed.success) throw unreadableError();
  return parsed.data as OutputOf<Endpoint<Input, Output>>;
}

async function send(path: string, method: string, body: string | undefined, signal: AbortSignal | undefined) {
  const timeout = AbortSignal.timeout(limits.callTimeoutSeconds * 1_000);
  try {
    return await fetch(path, {
      method,
      body,
      credentials: 'same-origin',
      // The server refuses changes without this header: another site cannot make a browser send it.
      headers: { 'x-lectern-csrf': '1', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
  } catch {
    signal?.throwIfAborted();
    throw offlineError();
  }
}
