import * as limits from '#contract/limits.ts';
import { teamHeader } from '#contract/team-header.ts';
import { errorFromEnvelope, offlineError } from './api-error.ts';
import { individualWorkspace, selectedWorkspace } from './workspace.ts';

/** Calls about the person or the installation: the same wherever one works, and possible when a team has gone. */
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
  /** Undefined where it was no JSON. */
  content: unknown;
}

/**
 * Sends a request with the session cookie, in the selected workspace unless another is given. Anyone who takes the answer
 * checks it: `callApi` by the contract's schema. Throws `ApiError`; a request ended by `signal` throws that signal's
 * reason.
 */
export async function request(path: string, asking: Asking = {}): Promise<Answer> {
  const answer = await send(path, asking);
  const content: unknown = await answer.json().catch(() => undefined);
  asking.signal?.throwIfAborted();
  if (!answer.ok) throw errorFromEnvelope(content, answer.status);
  return { status: answer.status, content };
}

/** The header that has a call act in a team; none for one's own workspace. */
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
      // What proxies may keep for a moment is asked for again here: someone may have just changed it.
      cache: 'no-store',
      // The server refuses changes without this header: another site cannot make a browser send it.
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
