import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { moduleIdSchema } from './library.ts';
import * as limits from './limits.ts';
import { nameLine, plainLine } from './name-line.ts';

/** The OAuth callback path. The address registered at GitHub must be this one or a parent of it. */
export const hostingCallbackPath = '/api/hosting/github/callback';
/** The page where a connection starts and where the user returns. */
export const hostingPagePath = '/resources?tab=repositories';
/** Where GitHub delivers events. */
export const hostingWebhookPath = '/webhooks/github';

/**
 * How a user connects: with an OAuth application, or with a GitHub App, which reads the repositories it is installed
 * on.
 */
export const hostingMethods = ['oauth', 'app'] as const;
export type HostingMethod = (typeof hostingMethods)[number];

export const hostingConnectionSchema = z.object({
  method: z.enum(hostingMethods),
  /** The GitHub account's name. */
  login: z.string(),
  url: z.string(),
  scopes: z.array(z.string()),
  /** True if private repositories can be listed and read through the connection. */
  readsPrivate: z.boolean(),
  /** `reconnect`: GitHub no longer accepts the token; repositories read through it are paused. */
  state: z.enum(['connected', 'reconnect']),
  connectedAt: z.int(),
});
export type HostingConnection = z.infer<typeof hostingConnectionSchema>;

/** An installation of the GitHub App on an account, as visible to the connected user. */
export const hostingInstallationSchema = z.object({
  installationId: z.string(),
  accountLogin: z.string(),
  accountKind: z.enum(['person', 'organization']),
  readsAllRepositories: z.boolean(),
  isSuspended: z.boolean(),
  /** GitHub page where repositories are selected. */
  settingsUrl: z.string(),
});
export type HostingInstallation = z.infer<typeof hostingInstallationSchema>;

/** A repository that the connected user can read at GitHub. */
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
  /** True if any part of it is already in this workspace. */
  isAdded: z.boolean(),
});
export type AvailableRepository = z.infer<typeof availableRepositorySchema>;

export const repositoryRefSchema = z.object({
  kind: z.enum(['branch', 'tag']),
  name: z.string().min(1).max(limits.repositoryRefCharactersMax).regex(plainLine, 'leave out control characters'),
});
export type RepositoryRef = z.infer<typeof repositoryRefSchema>;

/** Why a repository is no longer checked; the existing index stays available. */
export const pauseReasons = {
  disconnected: 'The person who added it has disconnected GitHub.',
  'reconnect-needed': 'GitHub no longer accepts the connection through which it was read.',
  'adder-left': 'The person who added it has left the team.',
  'adder-disabled': 'The account of the person who added it is disabled.',
  'access-lost': 'The person who added it can no longer read it on GitHub.',
  'installation-removed': "The GitHub App was removed from the repository's account.",
  'repository-deleted': 'It was deleted on GitHub, or moved to a place that this connection cannot read.',
} as const;
export type PauseReason = keyof typeof pauseReasons;
const pauseReasonSchema = z.enum(Object.keys(pauseReasons) as [PauseReason, ...PauseReason[]]);

export const repositoryStatsSchema = z.object({
  files: z.int(),
  /** Number of files that contain documentation. */
  documentationFiles: z.int(),
  /** True if GitHub did not list all files. */
  isPartial: z.boolean(),
  sizeBytes: z.int(),
  defaultBranch: z.string(),
  pushedAt: z.int().nullable(),
  countedAt: z.int(),
});

/** A repository of this workspace. Its module and runs have the id `moduleId`. */
export const hostedRepositorySchema = z.object({
  id: z.string(),
  repositoryId: z.string(),
  fullName: z.string(),
  url: z.string(),
  isPrivate: z.boolean(),
  ref: repositoryRefSchema,
  /** Path below the repository's root, without slashes at its ends; null for the whole repository. */
  folder: z.string().nullable(),
  moduleId: z.string(),
  /** The access used for reading; the repository is paused when it ends. */
  readBy: z.object({ kind: z.enum(['installation', 'connection']), login: z.string() }),
  addedBy: z.object({ displayName: z.string(), isYou: z.boolean() }).nullable(),
  addedAt: z.int(),
  /** Null if the repository is kept up to date. */
  paused: z.object({ reason: pauseReasonSchema, at: z.int() }).nullable(),
  /** True if pushes arrive by webhook; otherwise the repository is polled every 5 minutes. */
  isTold: z.boolean(),
  stats: repositoryStatsSchema.nullable(),
});
export type HostedRepository = z.infer<typeof hostedRepositorySchema>;

/** The team that the call is about; defaults to the acting workspace. */
const teamId = z.string().max(100).optional();
/** `owner/name`, or the address of its GitHub page. */
const repository = z.string().trim().min(1).max(limits.repositoryNameCharactersMax);

/** `id` of a repository in the workspace. */
const hosted = z.object({ id: z.string().min(1).max(100), teamId });
const hostedAnswer = z.object({ repository: hostedRepositorySchema });

export const hostingEndpoints = {
  getHosting: endpoint('GET /api/hosting', {
    summary: 'Returns your GitHub connection and the workspace’s repositories.',
    input: z.object({ teamId }),
    output: z.object({
      /** Ways to connect on this installation; empty if GitHub is not configured. */
      methods: z.array(z.enum(hostingMethods)),
      connection: hostingConnectionSchema.nullable(),
      repositories: z.array(hostedRepositorySchema),
    }),
  }),
  connectGithub: endpoint('POST /api/hosting/connect', {
    summary: 'Starts connecting your GitHub account. Returns the address to open in the browser.',
    input: z.object({
      method: z.enum(hostingMethods).optional(),
      /** Where the browser goes afterwards: a path of this site. */
      cont: z.string().max(limits.urlCharactersMax).optional(),
    }),
    output: z.object({
      /** GitHub page to send the browser to; valid once, for this session, for ten minutes. */
      url: z.string(),
    }),
  }),
  disconnectGithub: endpoint('DELETE /api/hosting/connection', {
    summary: 'Revokes the connection at GitHub and deletes it. Repositories read through it are paused.',
    output: z.object({
      paused: z.int(),
      /** False if GitHub was unreachable; revocation of the token is retried later. */
      isRevoked: z.boolean(),
    }),
  }),
  listInstallations: endpoint('GET /api/hosting/installations', {
    summary: 'Lists the accounts with the GitHub App that you can see, and the address to install it on another.',
    output: z.object({ installations: z.array(hostingInstallationSchema), installUrl: z.string().nullable() }),
  }),
  listRepositories: endpoint('GET /api/hosting/available', {
    summary: 'Lists the repositories that you can read on GitHub, the most recently pushed first, 30 per page.',
    input: z.object({
      /** Words that must all occur in the name or the description. */
      query: z.string().trim().max(limits.queryCharactersMax).optional(),
      page: z.coerce.number().int().min(1).max(1_000).default(1),
      /** Asks GitHub again instead of using a response cached for some minutes. */
      isFresh: z.union([z.boolean(), z.stringbool()]).optional(),
      teamId,
    }),
    output: z.object({
      repositories: z.array(availableRepositorySchema),
      page: z.int(),
      nextPage: z.int().nullable(),
      /** Number of repositories on all pages. */
      total: z.int(),
      /** True if GitHub has more repositories than were read. */
      isCut: z.boolean(),
    }),
  }),
  listBranches: endpoint('GET /api/hosting/branches', {
    summary: 'Lists the branches and tags of a repository.',
    right: 'sources.write',
    input: z.object({
      repository,
      /** Part of the name. */
      query: z.string().trim().max(limits.repositoryRefCharactersMax).optional(),
      teamId,
    }),
    output: z.object({
      repository: availableRepositorySchema,
      branches: z.array(z.string()),
      tags: z.array(z.string()),
      /** True if there are more branches or tags than listed: search by name. */
      isCut: z.boolean(),
    }),
  }),
  addRepository: endpoint('POST /api/hosting/repositories', {
    summary: 'Adds a repository, or one of its folders, to the workspace’s index.',
    right: 'sources.write',
    input: z.object({
      repository,
      /** Defaults to the default branch. */
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
    output: hostedAnswer,
  }),
  removeRepository: endpoint('DELETE /api/hosting/repositories/:id', {
    summary: 'Removes a repository and its module from the index.',
    right: 'sources.write',
    input: hosted,
    output: z.object({ id: z.string() }),
  }),
  refreshRepositoryStats: endpoint('POST /api/hosting/repositories/:id/stats', {
    summary: 'Refreshes a repository’s statistics.',
    right: 'sources.write',
    input: hosted,
    output: hostedAnswer,
  }),
  resumeRepository: endpoint('POST /api/hosting/repositories/:id/resume', {
    summary: 'Resumes a paused repository. From now on it is read through your own connection.',
    right: 'sources.write',
    input: hosted,
    output: hostedAnswer,
  }),
};
