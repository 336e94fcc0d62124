import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';
import { hostingInputs, hostingOutputs } from './hosting.ts';
import { keyRightsInput } from './keys.ts';
import { jobRunSchema, removeModuleInput, startIndexJobInput } from './library.ts';
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
  definition: Callable<Input, Output>,
): Callable<Input, Output> {
  return definition;
}

const nothing = z.object({});
export const callables = {
  createApiKey: callable({
    name: 'createApiKeyCallableV2',
    summary: 'Creates an API key. `key` is the secret.',
    input: z.object({
      name: z.string().overwrite(nameLine).max(limits.keyNameCharactersMax),
      teamId: z.string().optional(),
      rights: keyRightsInput,
    }),
    output: z.object({ name: z.string(), key: z.string() }),
  }),
  revokeApiKey: callable({
    name: 'revokeApiKeyCallableV2',
    summary: 'Revokes an API key permanently.',
    input: z.object({ keyId: z.string() }),
    output: nothing,
  }),
  startIndexJob: callable({
    name: 'startIndexJobCallable',
    summary: 'Starts indexing a site or a folder, or refreshes a module.',
    input: startIndexJobInput,
    output: z.object({ job: jobRunSchema }),
    right: 'sources.write',
    keyRight: 'index',
  }),
  removeModule: callable({
    name: 'removeModuleCallable',
    summary: 'Removes a module. Its pages can no longer be found.',
    input: removeModuleInput,
    output: z.object({ moduleId: z.string() }),
    right: 'sources.write',
    keyRight: 'manage',
  }),
  onEmailVerified: callable({
    name: 'onEmailVerified',
    summary: 'Call this after an email address was verified. Repeated calls change nothing.',
    input: nothing,
    output: z.object({ isEmailVerified: z.boolean() }),
  }),
  updateMarketingConsent: callable({
    name: 'updateMarketingConsent',
    summary: 'Stores whether you agree to receive updates by email.',
    input: z.object({ marketingConsent: z.boolean() }),
    output: nothing,
  }),
  deleteUser: callable({
    name: 'deleteUserCallable',
    summary: 'Deletes your account. Requires the password unless you signed in within the last five minutes.',
    input: z.object({ password: z.string().max(limits.passwordCharactersMax).optional() }),
    output: nothing,
  }),
  environment: callable({
    name: 'environment',
    summary: 'Returns the value of `ENVIRONMENT`.',
    access: 'anyone',
    input: nothing,
    output: z.object({ environment: z.string() }),
  }),
  startGithubOAuth: callable({
    name: 'startGithubOAuthCallable',
    summary: 'Starts connecting your GitHub account. Returns the address to open in the browser.',
    input: hostingInputs.connect,
    output: hostingOutputs.connect,
  }),
  listRepositories: callable({
    name: 'listRepositoriesCallable',
    summary: 'Lists the repositories that you can read on GitHub, the most recently pushed first, 30 per page.',
    input: hostingInputs.listRepositories,
    output: hostingOutputs.listRepositories,
  }),
  listBranches: callable({
    name: 'listBranchesCallable',
    summary: 'Lists the branches and tags of a repository.',
    input: hostingInputs.listBranches,
    output: hostingOutputs.listBranches,
  }),
  addRepository: callable({
    name: 'addRepositoryCallable',
    summary: 'Adds a repository, or one of its folders, to the workspace’s index.',
    input: hostingInputs.addRepository,
    output: hostingOutputs.hostedRepository,
    right: 'sources.write',
  }),
  removeRepository: callable({
    name: 'removeRepositoryCallable',
    summary: 'Removes a repository and its module from the index.',
    input: hostingInputs.hostedRepository,
    output: hostingOutputs.removeRepository,
    right: 'sources.write',
  }),
  refreshRepositoryStats: callable({
    name: 'refreshRepositoryStatsCallable',
    summary: 'Refreshes a repository’s statistics.',
    input: hostingInputs.hostedRepository,
    output: hostingOutputs.hostedRepository,
    right: 'sources.write',
  }),
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
