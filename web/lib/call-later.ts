import type { z } from 'zod';
import type { Endpoint, InputOf, OutputOf } from '#contract/endpoint.ts';
import { offlineError } from './api-error.ts';
import { selectedWorkspace } from './workspace.ts';

/**
 * `callApi` for public pages and the frame around every page: the part of the contract that `load` imports, and the
 * validation code, are loaded with the first call instead of with the page.
 */
export async function callLater<Input extends z.ZodType, Output extends z.ZodType>(
  load: () => Promise<Endpoint<Input, Output>>,
  input: InputOf<Endpoint<Input, Output>>,
  signal?: AbortSignal,
): Promise<OutputOf<Endpoint<Input, Output>>> {
  const workspace = selectedWorkspace();
  const loading = Promise.all([import('./api-client.ts'), load()]);
  const [{ callApi }, endpoint] = await loading.catch(() => {
    signal?.throwIfAborted();
    throw offlineError();
  });
  signal?.throwIfAborted();
  return callApi(endpoint, input, signal, workspace);
}
