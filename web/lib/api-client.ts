import { config, type z } from 'zod';
import { type Endpoint, type InputOf, type OutputOf, toRequest } from '#contract/endpoint.ts';
import { limits } from '#contract/limits.ts';
import { teamHeader } from '#contract/teams.ts';
import { errorFromEnvelope, offlineError, unreadableError } from './api-error.ts';
import { individualWorkspace, selectedWorkspace } from './workspace.ts';

// Schemas compiled on the fly would need eval, which the content security policy forbids.
config({ jitless: true });

/** Calls about the person or the installation: the same wherever one works, and possible when a team has gone. */
const personalPaths =
  /^\/(admin|api\/(session|sign-in-links|identity|teams|memberships|invites|billing|connections|site|flags|error-reports|outbox))([/?]|$)/;

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
  const answer = await send(path, { method: endpoint.method, body, signal, workspace });
  const content: unknown = await answer.json().catch(() => undefined);
  signal?.throwIfAborted();
  if (!answer.ok) throw errorFromEnvelope(content, answer.status);
  const parsed = endpoint.output.safeParse(content);
  if (!parsed.success) throw unreadableError(answer.status);
  return parsed.data as OutputOf<Endpoint<Input, Output>>;
}

/** The header that has a call act in a team; none for one's own workspace. */
export function workspaceHeader(workspace: string): Record<string, string> {
  return workspace === individualWorkspace ? {} : { [teamHeader]: workspace };
}

interface Sending {
  method: string;
  body: string | undefined;
  signal: AbortSignal | undefined;
  workspace: string;
}

async function send(path: string, { method, body, signal, workspace }: Sending): Promise<Response> {
  const timeout = AbortSignal.timeout(limits.callTimeoutSeconds * 1_000);
  try {
    return await fetch(path, {
      method,
      body,
      credentials: 'same-origin',
      // The server refuses changes without this header: another site cannot make a browser send it.
      headers: {
        'x-lectern-csrf': '1',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(personalPaths.test(path) ? {} : workspaceHeader(workspace)),
      },
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
  } catch {
    signal?.throwIfAborted();
    throw offlineError();
  }
}
