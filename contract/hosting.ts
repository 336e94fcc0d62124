import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { moduleIdSchema } from './library.ts';
import * as limits from './limits.ts';
import { nameLine, plainLine } from './name-line.ts';

/** Where GitHub sends the browser back to; the address registered there is this one, or lies above it. */
export const hostingCallbackPath = '/api/hosting/github/callback';
/** Screen that a connection is begun from and comes back to. */
export const hostingPagePath = '/resources?tab=repositories';
/** Where GitHub delivers events. */
export const hostingWebhookPath = '/webhooks/github';

/** What someone connects with: an OAuth application, or a GitHub App, which reads what it is installed on. */
export const hostingMethods = ['oauth', 'app'] as const;
export type HostingMethod = (typeof hostingMethods)[number];

export const hostingConnectionSchema = z.object({
  method: z.enum(hostingMethods),
  /** Name of the account at GitHub. */
  login: z.string(),
  url: z.string(),
  scopes: z.array(z.string()),
  /** Whether private repositories can be listed and read over it. */
  readsPrivate: z.boolean(),
  /** `reconnect`: GitHub does not take it any more, and what is read over it is paused. */
  state: z.enum(['connected', 'reconnect']),
  connectedAt: z.int(),
});
export type HostingConnection = z.infer<typeof hostingConnectionSchema>;

/** The GitHub App on one account, as the connected person may see it. */
export const hostingInstallationSchema = z.object({
  installationId: z.string(),
  accountLogin: z.string(),
  accountKind: z.enum(['person', 'organization']),
  readsAllRepositories: z.boolean(),
  isSuspended: z.boolean(),
  /** Page at GitHub where repositories are chosen. */
  settingsUrl: z.string(),
});
export type HostingInstallation = z.infer<typeof hostingInstallationSchema>;

/** A repository that the connected person may read at GitHub. */
export const availableRepositorySchema = z.object({
  repositoryId: z.string(),
  /** `owner/name`. */
  fullName: z.string(),
  url: z.string(),
  description: z.string().nullable(),
  isPrivate: z.boolean(),
  isFork: z.boolean(),
  isArchived: z.boolean(),
  defaultBranch: z.string(),
  sizeBytes: z.int(),
  pushedAt: z.int().nullable(),
  /** Whether some part of it is in this workspace already. */
  isAdded: z.boolean(),
});
export type AvailableRepository = z.infer<typeof availableRepositorySchema>;

export const repositoryRefSchema = z.object({
  kind: z.enum(['branch', 'tag']),
  name: z.string().min(1).max(limits.repositoryRefCharactersMax).regex(plainLine, 'leave out control characters'),
});
export type RepositoryRef = z.infer<typeof repositoryRefSchema>;

/** Why a repository is not looked at any more; what was indexed before is still served. */
export const pauseReasons = {
  disconnected: 'The person who added it has disconnected GitHub.',
  'reconnect-needed': 'GitHub no longer accepts the connection it was read over.',
  'adder-left': 'The person who added it has left the team.',
  'adder-disabled': 'The account of the person who added it is disabled.',
  'access-lost': 'The person who added it can no longer read it on GitHub.',
  'installation-removed': 'The GitHub App was removed from the account it belongs to.',
  'repository-deleted': 'It was deleted on GitHub, or moved to where it cannot be read.',
} as const;
export type PauseReason = keyof typeof pauseReasons;
const pauseReasonSchema = z.enum(Object.keys(pauseReasons) as [PauseReason, ...PauseReason[]]);

export const repositoryStatsSchema = z.object({
  files: z.int(),
  /** Of these, files that documentation is written in. */
  documentationFiles: z.int(),
  /** GitHub did not list all files: there are more than these. */
  isPartial: z.boolean(),
  sizeBytes: z.int(),
  defaultBranch: z.string(),
  pushedAt: z.int().nullable(),
  countedAt: z.int(),
});

/** A repository of this workspace: its module and runs are found under `moduleId`. */
export const hostedRepositorySchema = z.object({
  id: z.string(),
  repositoryId: z.string(),
  fullName: z.string(),
  url: z.string(),
  isPrivate: z.boolean(),
  ref: repositoryRefSchema,
  /** Path below the repository's root, without slashes at its ends; null: all of it. */
  folder: z.string().nullable(),
  moduleId: z.string(),
  /** What it is read over; its end pauses the repository. */
  readBy: z.object({ kind: z.enum(['installation', 'connection']), login: z.string() }),
  addedBy: z.object({ displayName: z.string(), isYou: z.boolean() }).nullable(),
  addedAt: z.int(),
  /** Null: it is kept current. */
  paused: z.object({ reason: pauseReasonSchema, at: z.int() }).nullable(),
  /** Whether pushes are reported at once; else they are noticed by looking every 5 minutes. */
  isTold: z.boolean(),
  stats: repositoryStatsSchema.nullable(),
});
export type HostedRepository = z.infer<typeof hostedRepositorySchema>;

/** The team that a call is about, instead of the workspace one acts in. */
const teamId = z.string().max(100).optional();
/** `owner/name`, or the address of its page at GitHub. */
const repository = z.string().trim().min(1).max(limits.repositoryNameCharactersMax);

export const hostingInputs = {
  connect: z.object({
    method: z.enum(hostingMethods).optional(),
    /** Where the browser goes in the end: a path of this site. */
    cont: z.string().max(limits.urlCharactersMax).optional(),
  }),
  listRepositories: z.object({
    /** Words that the name or the description has; all of them. */
    query: z.string().trim().max(limits.queryCharactersMax).optional(),
    page: z.coerce.number().int().min(1).max(1_000).default(1),
    /** Asks GitHub again instead of answering what it said some minutes ago. */
    isFresh: z.union([z.boolean(), z.stringbool()]).optional(),
    teamId,
  }),
  listBranches: z.object({
    repository,
    /** Part of the name. */
    query: z.string().trim().max(limits.repositoryRefCharactersMax).optional(),
    teamId,
  }),
  addRepository: z.object({
    repository,
    /** The default branch unless said otherwise. */
    ref: repositoryRefSchema.optional(),
    folder: z
      .string()
      .trim()
      .max(limits.repositoryFolderCharactersMax)
      .regex(plainLine, 'leave out control characters')
      .optional(),
    moduleId: moduleIdSchema.optional(),
    displayName: z.string().overwrite(nameLine).min(1).max(200).optional(),
    teamId,
  }),
  /** `id` of one of the workspace's repositories. */
  hostedRepository: z.object({ id: z.string().min(1).max(100), teamId }),
};

export const hostingOutputs = {
  connect: z.object({
    /** Page at GitHub to send the browser to; good once, for this session, for ten minutes. */
    url: z.string(),
  }),
  listRepositories: z.object({
    repositories: z.array(availableRepositorySchema),
    page: z.int(),
    nextPage: z.int().nullable(),
    /** Of all pages. */
    total: z.int(),
    /** GitHub has more repositories than are looked at. */
    isCut: z.boolean(),
  }),
  listBranches: z.object({
    repository: availableRepositorySchema,
    branches: z.array(z.string()),
    tags: z.array(z.string()),
    /** There are more of one of them than are answered: search by name. */
    isCut: z.boolean(),
  }),
  hostedRepository: z.object({ repository: hostedRepositorySchema }),
  removeRepository: z.object({ id: z.string() }),
};

const empty = z.object({});

export const hostingEndpoints = {
  getHosting: endpoint({
    method: 'GET',
    path: '/api/hosting',
    summary: 'Returns your GitHub connection and the workspace’s repositories.',
    input: z.object({ teamId }),
    output: z.object({
      /** Ways to connect that this installation has; none: GitHub is not configured. */
      methods: z.array(z.enum(hostingMethods)),
      connection: hostingConnectionSchema.nullable(),
      repositories: z.array(hostedRepositorySchema),
    }),
  }),
  connectGithub: endpoint({
    method: 'POST',
    path: '/api/hosting/connect',
    summary: 'Starts connecting your GitHub account. Returns the address to open in the browser.',
    input: hostingInputs.connect,
    output: hostingOutputs.connect,
  }),
  disconnectGithub: endpoint({
    method: 'DELETE',
    path: '/api/hosting/connection',
    summary: 'Revokes the connection at GitHub and deletes it. Repositories read through it are paused.',
    input: empty,
    output: z.object({
      paused: z.int(),
      /** False: GitHub could not be reached; the token is ended there as soon as it can. */
      isRevoked: z.boolean(),
    }),
  }),
  listInstallations: endpoint({
    method: 'GET',
    path: '/api/hosting/installations',
    summary: 'Lists the accounts with the GitHub App that you can see, and the address to install it on another.',
    input: empty,
    output: z.object({ installations: z.array(hostingInstallationSchema), installUrl: z.string().nullable() }),
  }),
  listRepositories: endpoint({
    method: 'GET',
    path: '/api/hosting/available',
    summary: 'Lists the repositories that you can read on GitHub, the most recently pushed first, 30 per page.',
    input: hostingInputs.listRepositories,
    output: hostingOutputs.listRepositories,
  }),
  listBranches: endpoint({
    method: 'GET',
    path: '/api/hosting/branches',
    summary: 'Lists the branches and tags of a repository.',
    right: 'sources.write',
    input: hostingInputs.listBranches,
    output: hostingOutputs.listBranches,
  }),
  addRepository: endpoint({
    method: 'POST',
    path: '/api/hosting/repositories',
    summary: 'Adds a repository, or one of its folders, to the workspace’s index.',
    right: 'sources.write',
    input: hostingInputs.addRepository,
    output: hostingOutputs.hostedRepository,
  }),
  removeRepository: endpoint({
    method: 'DELETE',
    path: '/api/hosting/repositories/:id',
    summary: 'Removes a repository and its module from the index.',
    right: 'sources.write',
    input: hostingInputs.hostedRepository,
    output: hostingOutputs.removeRepository,
  }),
  refreshRepositoryStats: endpoint({
    method: 'POST',
    path: '/api/hosting/repositories/:id/stats',
    summary: 'Refreshes a repository’s statistics.',
    right: 'sources.write',
    input: hostingInputs.hostedRepository,
    output: hostingOutputs.hostedRepository,
  }),
  resumeRepository: endpoint({
    method: 'POST',
    path: '/api/hosting/repositories/:id/resume',
    summary: 'Resumes a paused repository. From now on it is read through your own connection.',
    right: 'sources.write',
    input: hostingInputs.hostedRepository,
    output: hostingOutputs.hostedRepository,
  }),
};
