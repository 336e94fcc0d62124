import type { z } from 'zod';
import { type Endpoint, failureOf, type InputOf, type OutputOf, toRequest } from '#contract/endpoint.ts';
import { ApiError, unreadableError } from './api-error.ts';
import { request } from './request.ts';
import { selectedWorkspace } from './workspace.ts';

/**
 * Calls a contract endpoint with the session cookie, in the selected workspace unless another is given, and validates
 * the response. Throws `ApiError`; an aborted call throws the signal's reason.
 */
export async function callApi<Input extends z.ZodType, Output extends z.ZodType>(
  endpoint: Endpoint<Input, Output>,
  input: InputOf<Endpoint<Input, Output>>,
  signal?: AbortSignal,
  workspace: string = selectedWorkspace(),
): Promise<OutputOf<Endpoint<Input, Output>>> {
  const { path, body } = toRequest(endpoint, input as Record<string, unknown>);
  try {
    const { status, content } = await request(path, { method: endpoint.method, body, signal, workspace });
    const parsed = endpoint.output.safeParse(content);
    if (!parsed.success) throw unreadableError(status);
    return parsed.data as OutputOf<Endpoint<Input, Output>>;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'unreadable' || error.httpStatus === undefined) throw error;
    throw unreadableError(error.httpStatus, failureOf(endpoint, input as object, error.httpStatus));
  }
}
