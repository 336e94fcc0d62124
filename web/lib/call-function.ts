import type { z } from 'zod';
import { type Callable, callables } from '#contract/callables.ts';
import { identityEndpoints } from '#contract/identity.ts';
import * as limits from '#contract/limits.ts';
import { callApi } from './api-client.ts';
import { errorFromEnvelope, offlineError, unreadableError } from './api-error.ts';
import { workspaceHeader } from './request.ts';
import { selectedWorkspace } from './workspace.ts';

/** Functions about the user, which work even if the selected team was deleted. */
const personalNames = new Set(
  [callables.onEmailVerified, callables.updateMarketingConsent, callables.deleteUser].map(({ name }) => name),
);

/**
 * Calls a callable function as the signed-in user in the selected workspace, with a bearer token and a timeout of 70
 * seconds. Validates the response against the function's schema; throws `ApiError`.
 */
export async function callFunction<Input extends z.ZodType, Output extends z.ZodType>(
  { name, output }: Callable<Input, Output>,
  data: z.input<Input>,
): Promise<z.output<Output>> {
  const team = personalNames.has(name) ? {} : workspaceHeader(selectedWorkspace());
  const { token } = await callApi(identityEndpoints.issueIdentityToken, {});
  const answer = await fetch(`/callable/${name}`, {
    method: 'POST',
    // The token alone identifies the caller.
    credentials: 'omit',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...team },
    body: JSON.stringify({ data }),
    signal: AbortSignal.timeout(limits.callTimeoutSeconds * 1_000),
  }).catch(() => {
    throw offlineError();
  });
  const content: unknown = await answer.json().catch(() => undefined);
  if (!answer.ok) throw errorFromEnvelope(asEnvelope(content));
  const parsed = output.safeParse((content as { result?: unknown } | undefined)?.result);
  if (!parsed.success) throw unreadableError();
  return parsed.data;
}

/** Reads the contract's error code from the details of a callable's error. */
function asEnvelope(content: unknown): unknown {
  if (typeof content !== 'object' || content === null || !('error' in content)) return content;
  const { message, details } = content.error as { message?: unknown; details?: object };
  return { error: { message, ...details } };
}
