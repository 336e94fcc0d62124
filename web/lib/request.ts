import * as limits from '#contract/limits.ts';
import { teamHeader } from '#contract/team-header.ts';
import { errorFromEnvelope, offlineError } from './api-error.ts';
import { individualWorkspace, selectedWorkspace } from './workspace.ts';

/** Calls about the user or the installation: independent of the workspace, and available if a team was deleted. */
const personalPaths =
  /^\/(admin|api\/(session|sign-in-links|identity|teams|memberships|invites|billing|connections|site|flags|error-reports|operator|outbox|docs|status))([/?]|$)/;

interface Asking {
  method?: string;
  body?: string | undefined;
  signal?: AbortSignal | undefined;
  workspace?: string | undefined;
}

export interface Answer {
  status: number;
  /** Undefined if the response is not JSON. */
  content: unknown;
}

/**
 * Sends a request with the session cookie, in the selected workspace unless another is given. Callers must validate the
 * response; `callApi` uses the contract's schema. Throws `ApiError`; an aborted request throws the signal's reason.
 */
export async function request(path: string, asking: Asking = {}): Promise<Answer> {
  const answer = await send(path, asking);
  const content: unknown = await answer.json().catch(() => undefined);
  asking.signal?.throwIfAborted();
  if (!answer.ok) throw errorFromEnvelope(content, answer.status);
  return { status: answer.status, content };
}

/** Returns the header that makes a call act in a team; empty for the user's own workspace. */
export function workspaceHeader(workspace: string): Record<string, string> {
  return workspace === individualWorkspace ? {} : { [teamHeader]: workspace };
}

async function send(
  path: string,
  { method = 'GET', body, signal, workspace = selectedWorkspace() }: Asking,
): Promise<Response> {
  const timeout = AbortSignal.timeout(limits.callTimeoutSeconds * 1_000);
  const isPersonal = personalPaths.test(path);
  const earlyName = isPersonal ? path : workspace + path;
  const early = window.early?.[earlyName];
  delete window.early?.[earlyName];
  try {
    if (early && method === 'GET') return await early;
    return await fetch(path, {
      method,
      ...(body === undefined ? {} : { body }),
      credentials: 'same-origin',
      // Bypasses caches, even for responses that proxies may cache briefly: the user may have just changed the data.
      cache: 'no-store',
      // The server refuses changes without this header, which other sites cannot make a browser send.
      headers: {
        'x-lectern-csrf': '1',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(isPersonal ? {} : workspaceHeader(workspace)),
      },
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
  } catch {
    signal?.throwIfAborted();
    throw offlineError();
  }
}
