import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import * as limits from './limits.ts';
import { nameLine, plainLine } from './name-line.ts';

/** A slug: what people type as `--name` and agents see as the library's id. */
export const moduleIdSchema = z
  .string()
  .min(1)
  .max(limits.moduleIdCharactersMax)
  .regex(
    /^[a-z0-9][a-z0-9._~+-]*$/,
    'use lower-case letters, digits and . _ ~ + - only, beginning with a letter or digit',
  );

export const jobStatusSchema = z.enum(['QUEUED', 'CRAWLING', 'INDEXING', 'COMPLETE', 'FAILED']);
export type JobStatus = z.infer<typeof jobStatusSchema>;

/** What a module is made from. */
export const sourceKindSchema = z.enum(['site', 'folder', 'git', 'pdf']);

export const visibilitySchema = z.enum(['public', 'private']);

export const skipReasonSchema = z.object({
  reason: z.string(),
  count: z.int(),
  /** At most five. */
  examples: z.array(z.string()),
});

/** How far a source is read: what starts the same run again. */
export const sourceLimitsSchema = z.object({
  maxPages: z.int(),
  /** Links from the start page; null for no limit. */
  depth: z.int().nullable(),
  /** Addresses to begin at beside the start page. */
  seeds: z.array(z.string()),
});
export type SourceLimits = z.infer<typeof sourceLimitsSchema>;

/** How one version of a module answers its probe questions. */
const probeScoreSchema = z.object({
  /** Questions whose page was among the passages. */
  answered: z.int(),
  /** Tokens of passages up to the answers, of all that were read where there was none. */
  tokens: z.int(),
});

/** The version that was served beside the one that a run built. */
export const runQualitySchema = z.object({
  probes: z.int(),
  before: probeScoreSchema,
  after: probeScoreSchema,
  /** Answered before and not by the new version; at most 20. */
  missed: z.array(z.object({ question: z.string(), address: z.string() })),
});
export type RunQuality = z.infer<typeof runQualitySchema>;

export const jobRunSchema = z.object({
  id: z.string(),
  /** Names one attempt at it: a run goes on after the process was killed. */
  executionId: z.string(),
  /** Whose index it is for; both null for the public one. */
  uid: z.string().nullable(),
  teamId: z.string().nullable(),
  /** Null for the public index. */
  startedByUserId: z.string().nullable(),
  /** The index that serves it. */
  stackName: z.string(),
  moduleId: z.string(),
  displayName: z.string(),
  /** Of a folder its path for the operator, `folder://{moduleId}/` for everyone else. */
  url: z.string(),
  kind: sourceKindSchema,
  limits: sourceLimitsSchema,
  visibility: visibilitySchema,
  status: jobStatusSchema,
  isCancelled: z.boolean(),
  /** Its module was removed since: the run is history. */
  isModuleRemoved: z.boolean(),
  found: z.int(),
  fetched: z.int(),
  /** Pages that the new version has so far. */
  docsCount: z.int(),
  unchanged: z.int(),
  skipped: z.int(),
  failed: z.int(),
  snippets: z.int(),
  contentBytes: z.int(),
  /** Pages of this run that are done, per second since it started; 0 before the first. */
  pagesPerSecond: z.number(),
  /** Estimated from pages found but not done; null until there is a rate. */
  secondsLeft: z.number().nullable(),
  skipReasons: z.array(skipReasonSchema),
  error: z.string().nullable(),
  /** Null where the run replaced nothing, or there were too few questions to compare by. */
  quality: runQualitySchema.nullable(),
  /** The new version is kept and not served, because it answers worse: it can be accepted. */
  isHeld: z.boolean(),
  /** It reads only what the run before could not. */
  isRetry: z.boolean(),
  /** When a retry of what it could not read starts by itself; null where none is due. */
  retryAt: z.int().nullable(),
  createdAt: z.int(),
  startTime: z.int().nullable(),
  endTime: z.int().nullable(),
});
export type JobRun = z.infer<typeof jobRunSchema>;

export const moduleSchema = z.object({
  moduleId: z.string(),
  displayName: z.string(),
  visibility: visibilitySchema,
  kind: sourceKindSchema,
  url: z.string(),
  /** Its row is damaged: until it is refreshed, no one can tell where it is read from, and the address is empty. */
  isSourceLost: z.boolean(),
  limits: sourceLimitsSchema,
  /** The same for all versions of one library. */
  library: z.string(),
  version: z.string().nullable(),
  /** It is read with a stored credential. */
  hasCredential: z.boolean(),
  /** Its pages are shown in a browser before they are read. */
  rendersScripts: z.boolean(),
  pageCount: z.int(),
  snippetCount: z.int(),
  tokenCount: z.int(),
  byteCount: z.int(),
  lastUpdated: z.int().nullable(),
});
export type LibraryModule = z.infer<typeof moduleSchema>;

/** One address that a run left out, and why: a code of `skipReasonTexts`, or `http-404` and the like. */
export const jobLogEntrySchema = z.object({
  address: z.string(),
  status: z.enum(['skipped', 'failed']),
  reason: z.string(),
});
export type JobLogEntry = z.infer<typeof jobLogEntrySchema>;

/** What someone pasted, as far as it can be determined without asking anyone. */
export const recognisedSourceSchema = z.object({
  /** `pdf`: the address of one PDF file. */
  kind: sourceKindSchema,
  /** As it would be indexed. */
  url: z.string(),
  /** The id it would get. */
  moduleId: z.string(),
  /** A module of that id is there already: indexing refreshes it. */
  isKnown: z.boolean(),
  ref: z.object({ kind: z.enum(['branch', 'tag']), name: z.string() }).nullable(),
  folder: z.string().nullable(),
});
export type RecognisedSource = z.infer<typeof recognisedSourceSchema>;

/** A workspace has one private index, which goes by this id. */
export const privateIndexId = 'default';
/** An installation serves all of them from one stack. */
export const indexStackName = 'default';

/** The index of one person or one team. */
export const privateIndexSchema = z.object({
  uid: z.string().nullable(),
  teamId: z.string().nullable(),
  indexId: z.string(),
  stackName: z.string(),
  /** When its first module was added; null as long as it is empty. */
  createdAt: z.int().nullable(),
  updatedAt: z.int().nullable(),
  totalDocs: z.int(),
  modules: z.array(moduleSchema),
});
export type PrivateIndex = z.infer<typeof privateIndexSchema>;

/** The team that a call is about, instead of the workspace one acts in. */
const teamId = z.string().max(100).optional();

export const startIndexJobInput = z.object({
  /** Address of a site or a repository, or (operator only) the absolute path of a folder. */
  source: z.string().trim().min(1, 'give an address or a folder').max(limits.urlCharactersMax),
  moduleId: moduleIdSchema.optional(),
  /** The id may stand for another address already: then that one is replaced. */
  replace: z.boolean().optional(),
  displayName: z.string().overwrite(nameLine).min(1).max(limits.displayNameCharactersMax).optional(),
  /** Private unless said otherwise; public where the operator indexes without a team and a credential. */
  visibility: visibilitySchema.optional(),
  maxPages: z.int().min(1).max(limits.pagesPerJobMax).default(limits.pagesPerJobMax),
  depth: z.int().min(0).max(limits.depthPerJobMax).optional(),
  /** Further addresses to begin at, for pages that nothing links to. */
  seeds: z.array(z.string().max(limits.urlCharactersMax)).max(limits.seedsPerJobMax).default([]),
  /** What all versions of the library have in common, and which this is, where the address does not say. */
  library: z.string().overwrite(nameLine).min(1).max(200).optional(),
  version: z.string().overwrite(nameLine).min(1).max(50).optional(),
  /** Of a repository: unless given, the branch or tag its address names, else the branch it calls its default. */
  ref: z
    .object({
      kind: z.enum(['branch', 'tag']),
      name: z
        .string()
        .trim()
        .min(1)
        .max(limits.repositoryRefCharactersMax)
        .regex(plainLine, 'leave out control characters'),
    })
    .optional(),
  /** Of a repository: only what is below it. */
  folder: z
    .string()
    .trim()
    .min(1)
    .max(limits.repositoryFolderCharactersMax)
    .regex(plainLine, 'leave out control characters')
    .optional(),
  /** Of a stored credential for the host of the source; such a source is always private. */
  credentialId: z.string().max(100).optional(),
  /** Shows each page of a site in a browser first; only where the installation has one. */
  rendersScripts: z.boolean().optional(),
  teamId,
});
export type StartIndexJobInput = z.output<typeof startIndexJobInput>;

export const removeModuleInput = z.object({
  moduleId: z.string(),
  visibility: visibilitySchema.optional(),
  teamId,
});

export const renameModuleInput = removeModuleInput.extend({
  displayName: z.string().overwrite(nameLine).min(1, 'give the source a name').max(limits.displayNameCharactersMax),
});

const empty = z.object({});
const jobId = z.object({ jobId: z.string() });

export const libraryEndpoints = {
  listModules: endpoint({
    method: 'GET',
    path: '/api/modules',
    summary: 'Lists the modules that you can search, public and private.',
    access: 'anyone',
    keyRight: 'search',
    input: empty,
    output: z.object({ modules: z.array(moduleSchema) }),
  }),
  removeModule: endpoint({
    method: 'DELETE',
    path: '/api/modules/:moduleId',
    summary: 'Removes a module. Its pages can no longer be found.',
    keyRight: 'manage',
    right: 'sources.write',
    input: removeModuleInput,
    output: z.object({ moduleId: z.string() }),
  }),
  renameModule: endpoint({
    method: 'PUT',
    path: '/api/modules/:moduleId',
    summary: 'Changes a module’s display name. Its id and its pages’ addresses stay the same.',
    keyRight: 'index',
    right: 'sources.write',
    input: renameModuleInput,
    output: z.object({ module: moduleSchema }),
  }),
  startIndexJob: endpoint({
    method: 'POST',
    path: '/api/jobs',
    summary: 'Starts indexing a site or a folder, or refreshes a module.',
    keyRight: 'index',
    right: 'sources.write',
    input: startIndexJobInput,
    output: z.object({ job: jobRunSchema }),
  }),
  listJobs: endpoint({
    method: 'GET',
    path: '/api/jobs',
    summary: 'Lists job runs, newest first, at most 100.',
    /** `withCurrent`: after those, the newest run of each further source whose newest run is in progress or failed. */
    access: 'anyone',
    keyRight: 'search',
    input: z.object({ withCurrent: z.stringbool().or(z.boolean()).optional() }),
    output: z.object({ jobs: z.array(jobRunSchema) }),
  }),
  getJob: endpoint({
    method: 'GET',
    path: '/api/jobs/:jobId',
    summary: 'Returns one job run.',
    access: 'anyone',
    keyRight: 'search',
    input: jobId,
    output: z.object({ job: jobRunSchema }),
  }),
  cancelJob: endpoint({
    method: 'POST',
    path: '/api/jobs/:jobId/cancel',
    summary: 'Cancels a job run. The earlier version is still served.',
    keyRight: 'index',
    input: jobId,
    output: z.object({ job: jobRunSchema }),
  }),
  retryJob: endpoint({
    method: 'POST',
    path: '/api/jobs/:jobId/retry',
    summary: 'Repeats a finished run with the same settings.',
    keyRight: 'index',
    input: jobId,
    output: z.object({ job: jobRunSchema }),
  }),
  getJobLog: endpoint({
    method: 'GET',
    path: '/api/jobs/:jobId/log',
    summary: 'Lists the pages that a run left out and why, in the order it found them.',
    access: 'anyone',
    keyRight: 'search',
    input: jobId.extend({
      /** Only what was left out for this reason. */
      reason: z.string().max(100).optional(),
      /** Only addresses in which this stands. */
      words: z.string().trim().max(limits.queryCharactersMax).optional(),
      /** `next` of the answer before. */
      after: z.coerce.number().int().min(0).optional(),
      limit: z.coerce.number().int().min(1).max(limits.jobLogPageMax).default(limits.jobLogPageMax),
    }),
    /** `total` counts what was kept, of this reason and with these words; a run keeps the first 2,000. */
    output: z.object({ entries: z.array(jobLogEntrySchema), next: z.int().nullable(), total: z.int() }),
  }),
  refreshModule: endpoint({
    method: 'POST',
    path: '/api/modules/:moduleId/refresh',
    summary: 'Refreshes a module from its source, with the same limits and credential.',
    keyRight: 'index',
    input: removeModuleInput.extend({
      /** Of a site: only the pages that failed in the last run, and what they lead to. */
      onlyFailed: z.stringbool().or(z.boolean()).optional(),
    }),
    output: z.object({ job: jobRunSchema }),
  }),
  recogniseSource: endpoint({
    method: 'GET',
    path: '/api/sources/recognise',
    summary: 'Returns what an address is: a site, a repository, a PDF file or a folder. Sends no request to its host.',
    keyRight: 'index',
    input: z.object({ address: z.string().trim().min(1, 'give an address').max(limits.urlCharactersMax) }),
    output: z.object({ source: recognisedSourceSchema }),
  }),
  getPrivateIndex: endpoint({
    method: 'GET',
    path: '/api/private-index',
    summary: 'Returns the current workspace’s private index with its modules.',
    keyRight: 'search',
    input: empty,
    output: z.object({ index: privateIndexSchema }),
  }),
};
