import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';
import { hostingEndpoints } from './hosting.ts';
import { keyRightsInput } from './keys.ts';
import { libraryEndpoints } from './library.ts';
import * as limits from './limits.ts';
import { nameLine } from './name-line.ts';

/** A function called by name: `POST /callable/{name}` with `{data}` returns `{result}`. */
export interface Callable<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType>
  extends Pick<Endpoint, 'access' | 'right' | 'keyRight'> {
  name: string;
  /** One sentence for the reference. */
  summary: string;
  input: Input;
  output: Output;
}

function callable<Input extends z.ZodType, Output extends z.ZodType>(
  name: string,
  definition: Omit<Callable<Input, Output>, 'name'>,
): Callable<Input, Output> {
  return { name, ...definition };
}

/** Declares an endpoint that can also be called by name. */
function alsoCallable<Input extends z.ZodType, Output extends z.ZodType>(
  name: string,
  { summary, access, right, keyRight, input, output }: Endpoint<Input, Output>,
): Callable<Input, Output> {
  return { name, summary, access, right, keyRight, input, output };
}

const nothing = z.object({});
export const callables = {
  createApiKey: callable('createApiKeyCallableV2', {
    summary: 'Creates an API key. `key` is the secret.',
    input: z.object({
      name: z.string().overwrite(nameLine).max(limits.keyNameCharactersMax),
      teamId: z.string().optional(),
      rights: keyRightsInput,
    }),
    output: z.object({ name: z.string(), key: z.string() }),
  }),
  revokeApiKey: callable('revokeApiKeyCallableV2', {
    summary: 'Revokes an API key permanently.',
    input: z.object({ keyId: z.string() }),
    output: nothing,
  }),
  startIndexJob: alsoCallable('startIndexJobCallable', libraryEndpoints.startIndexJob),
  removeModule: alsoCallable('removeModuleCallable', libraryEndpoints.removeModule),
  onEmailVerified: callable('onEmailVerified', {
    summary: 'Call this after an email address was verified. Repeated calls change nothing.',
    input: nothing,
    output: z.object({ isEmailVerified: z.boolean() }),
  }),
  updateMarketingConsent: callable('updateMarketingConsent', {
    summary: 'Stores whether you agree to receive updates by email.',
    input: z.object({ marketingConsent: z.boolean() }),
    output: nothing,
  }),
  deleteUser: callable('deleteUserCallable', {
    summary: 'Deletes your account. Requires the password unless you signed in within the last five minutes.',
    input: z.object({ password: z.string().max(limits.passwordCharactersMax).optional() }),
    output: nothing,
  }),
  environment: callable('environment', {
    summary: 'Returns the value of `ENVIRONMENT`.',
    access: 'anyone',
    input: nothing,
    output: z.object({ environment: z.string() }),
  }),
  startGithubOAuth: alsoCallable('startGithubOAuthCallable', hostingEndpoints.connectGithub),
  listRepositories: alsoCallable('listRepositoriesCallable', hostingEndpoints.listRepositories),
  listBranches: alsoCallable('listBranchesCallable', { ...hostingEndpoints.listBranches, right: undefined }),
  addRepository: alsoCallable('addRepositoryCallable', hostingEndpoints.addRepository),
  removeRepository: alsoCallable('removeRepositoryCallable', hostingEndpoints.removeRepository),
  refreshRepositoryStats: alsoCallable('refreshRepositoryStatsCallable', hostingEndpoints.refreshRepositoryStats),
};

/** The error status of a failed call, by the HTTP status of its response. */
const statusNames = {
  400: 'invalid-argument',
  401: 'unauthenticated',
  403: 'permission-denied',
  404: 'not-found',
  409: 'aborted',
  429: 'resource-exhausted',
  499: 'cancelled',
  500: 'internal',
  501: 'unimplemented',
  503: 'unavailable',
  504: 'deadline-exceeded',
} as const;

export type CallableStatus = (typeof statusNames)[keyof typeof statusNames] | 'unknown';

/** Returns the name of an HTTP status, or `unknown`. */
export function callableStatusOf(httpStatus: number): CallableStatus {
  return (statusNames as Record<number, CallableStatus>)[httpStatus] ?? 'unknown';
}

/** Response body of a failed call. */
export interface CallableErrorEnvelope {
  error: { status: CallableStatus; message: string; details?: { code: ErrorCode; requestId?: string } };
}
