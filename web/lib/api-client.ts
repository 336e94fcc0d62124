import type { z } from 'zod';
import { type Endpoint, type InputOf, type OutputOf, toRequest } from '#contract/endpoint.ts';
import { unreadableError } from './api-error.ts';
import { request } from './request.ts';
import { selectedWorkspace } from './workspace.ts';

/**
 * Calls an endpoint of the contract with the session cookie, in the selected workspace unless another is given, and
 * checks the answer against its schema. Throws `ApiError`; a call ended by `signal` throws that signal's reason.
 */
export async function callApi<Input extends z.ZodType, Output extends z.ZodType>(
  endpoint: Endpoint<Input, Output>,
  input: InputOf<Endpoint<Input, Output>>,
  signal?: AbortSignal,
  workspace: string = selectedWorkspace(),
): Promise<OutputOf<Endpoint<Input, Output>>> {
  const { path, body } = toRequest(endpoint, input as Record<string, unknown>);
  const { status, content } = await request(path, { method: endpoint.method, body, signal, workspace });
  const parsed = endpoint.output.safeParse(content);
  if (!parsed.success) throw unreadableError(status);
  return parsed.data as OutputOf<Endpoint<Input, Output>>;
}
