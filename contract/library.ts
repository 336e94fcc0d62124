import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import * as limits from './limits.ts';
import { nameLine, plainLine } from './name-line.ts';

/** A slug: users pass it as `--name`, and agents see it as the library's id. */
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

/** Kinds of sources that a module can be built from. */
export const sourceKindSchema = z.enum(['site', 'folder', 'git', 'pdf']);

export const visibilitySchema = z.enum(['public', 'private']);

export const skipReasonSchema = z.object({
  reason: z.string(),
  count: z.int(),
  /** At most five examples. */
  examples: z.array(z.string()),
});

/** The limits of a source's crawl; the same limits repeat the same run. */
export const sourceLimitsSchema = z.object({
  maxPages: z.int(),
  /** Link depth from the start page; null for no limit. */
  depth: z.int().nullable(),
  /** Further start addresses. */
  seeds: z.array(z.string()),
});
export type SourceLimits = z.infer<typeof sourceLimitsSchema>;

/** A module version's score on its probe questions. */
const probeScoreSchema = z.object({
  /** Questions whose page was among the passages returned. */
  answered: z.int(),
  /** Tokens of passages up to the answer, or of all passages read if there was no answer. */
  tokens: z.int(),
});

/** Compares the version being served with the version that a run built. */
export const runQualitySchema = z.object({
  probes: z.int(),
  before: probeScoreSchema,
  after: probeScoreSchema,
  /** Questions that the previous version answered and the new one does not; at most 20. */
  missed: z.array(z.object({ question: z.string(), address: z.string() })),
});
export type RunQuality = z.infer<typeof runQualitySchema>;

export const jobRunSchema = z.object({
  id: z.string(),
  /** Identifies an attempt: a run continues after its process was killed. */
  executionId: z.string(),
  /** Owner of the index; `uid` and `teamId` are both null for the public index. */
  uid: z.string().nullable(),
  teamId: z.string().nullable(),
  /** Null for the public index. */
  startedByUserId: z.string().nullable(),
  /** The index stack that serves it. */
  stackName: z.string(),
  moduleId: z.string(),
  displayName: z.string(),
  /** For a folder: its path if the reader is the operator, otherwise `folder://{moduleId}/`. */
  url: z.string(),
  kind: sourceKindSchema,
  limits: sourceLimitsSchema,
  visibility: visibilitySchema,
  status: jobStatusSchema,
  isCancelled: z.boolean(),
  /** True if its module was removed since. */
  isModuleRemoved: z.boolean(),
  found: z.int(),
  fetched: z.int(),
  /** Pages in the new version so far. */
  docsCount: z.int(),
  unchanged: z.int(),
  skipped: z.int(),
  failed: z.int(),
  snippets: z.int(),
  contentBytes: z.int(),
  /** Pages finished per second since the run started; 0 before the first. */
  pagesPerSecond: z.number(),
  /** Estimated from the pages found but not finished; null until there is a rate. */
  secondsLeft: z.number().nullable(),
  skipReasons: z.array(skipReasonSchema),
  error: z.string().nullable(),
  /** Null if the run replaced nothing, or there were too few questions to compare. */
  quality: runQualitySchema.nullable(),
  /** True if the new version is kept but not served because it scores worse; it can be accepted. */
  isHeld: z.boolean(),
  /** True if the run reads only what the previous run could not read. */
  isRetry: z.boolean(),
  /** When pages that could not be read are retried automatically; null if no retry is due. */
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
  /** True if its row is damaged: until it is refreshed, the source is unknown and the address empty. */
  isSourceLost: z.boolean(),
  limits: sourceLimitsSchema,
  /** The same for all versions of a library. */
  library: z.string(),
  version: z.string().nullable(),
  /** True if it is read with a stored credential. */
  hasCredential: z.boolean(),
  /** True if its pages are rendered in a browser before they are read. */
  rendersScripts: z.boolean(),
  pageCount: z.int(),
  snippetCount: z.int(),
  tokenCount: z.int(),
  byteCount: z.int(),
  lastUpdated: z.int().nullable(),
});
export type LibraryModule = z.infer<typeof moduleSchema>;

/** An address that a run left out, and the reason: a code of `skipReasonTexts`, or a code such as `http-404`. */
export const jobLogEntrySchema = z.object({
  address: z.string(),
  status: z.enum(['skipped', 'failed']),
  reason: z.string(),
});
export type JobLogEntry = z.infer<typeof jobLogEntrySchema>;

/** What a pasted text refers to, as far as can be determined offline. */
export const recognisedSourceSchema = z.object({
  /** `pdf`: the address of a PDF file. */
  kind: sourceKindSchema,
  /** The address that would be indexed. */
  url: z.string(),
  /** The id that it would get. */
  moduleId: z.string(),
  /** True if a module with that id exists: indexing refreshes it. */
  isKnown: z.boolean(),
  ref: z.object({ kind: z.enum(['branch', 'tag']), name: z.string() }).nullable(),
  folder: z.string().nullable(),
});
export type RecognisedSource = z.infer<typeof recognisedSourceSchema>;

/** Id of a workspace's only private index. */
export const privateIndexId = 'default';
/** Name of the stack that serves all indexes of an installation. */
export const indexStackName = 'default';

/** A person's or a team's index. */
export const privateIndexSchema = z.object({
  uid: z.string().nullable(),
  teamId: z.string().nullable(),
  indexId: z.string(),
  stackName: z.string(),
  /** When its first module was added; null if it is empty. */
  createdAt: z.int().nullable(),
  updatedAt: z.int().nullable(),
  totalDocs: z.int(),
  modules: z.array(moduleSchema),
});
export type PrivateIndex = z.infer<typeof privateIndexSchema>;

/** The team that the call is about; defaults to the acting workspace. */
const teamId = z.string().max(100).optional();

export const startIndexJobInput = z.object({
  /** Address of a site or repository, or (operator only) a folder's absolute path. */
  source: z.string().trim().min(1, 'give an address or a folder').max(limits.urlCharactersMax),
  moduleId: moduleIdSchema.optional(),
  /** Replaces a source with a different address that has the same id. */
  replace: z.boolean().optional(),
  displayName: z.string().overwrite(nameLine).min(1).max(limits.displayNameCharactersMax).optional(),
  /** Defaults to private, or to public if the operator indexes without a team and a credential. */
  visibility: visibilitySchema.optional(),
  maxPages: z.int().min(1).max(limits.pagesPerJobMax).default(limits.pagesPerJobMax),
  depth: z.int().min(0).max(limits.depthPerJobMax).optional(),
  /** Further start addresses, for pages without incoming links. */
  seeds: z
    .array(z.string().max(limits.urlCharactersMax))
    .max(limits.seedsPerJobMax)
    .refine((seeds) => seeds.join('').length <= limits.seedCharactersMax, 'give fewer or shorter start addresses')
    .default([]),
  /** The library's name shared by all versions, and this version, if the address does not contain them. */
  library: z.string().overwrite(nameLine).min(1).max(200).optional(),
  version: z.string().overwrite(nameLine).min(1).max(50).optional(),
  /** For repositories: defaults to the branch or tag in the address, or else the default branch. */
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
  /** For repositories: index only this folder. */
  folder: z
    .string()
    .trim()
    .min(1)
    .max(limits.repositoryFolderCharactersMax)
    .regex(plainLine, 'leave out control characters')
    .optional(),
  /** A stored credential for the source's host; makes the source private. */
  credentialId: z.string().max(100).optional(),
  /** Renders each page of a site in a browser first; requires an installation with a browser. */
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

const jobId = z.object({ jobId: z.string() });

export const libraryEndpoints = {
  listModules: endpoint('GET /api/modules', {
    summary: 'Lists the modules that you can search, public and private.',
    access: 'anyone',
    keyRight: 'search',
    output: z.object({ modules: z.array(moduleSchema) }),
  }),
  removeModule: endpoint('DELETE /api/modules/:moduleId', {
    summary: 'Removes a module. Its pages can no longer be found.',
    keyRight: 'manage',
    right: 'sources.write',
    input: removeModuleInput,
    output: z.object({ moduleId: z.string() }),
  }),
  renameModule: endpoint('PUT /api/modules/:moduleId', {
    summary: 'Changes a module’s display name. Its id and its pages’ addresses stay the same.',
    keyRight: 'index',
    right: 'sources.write',
    input: renameModuleInput,
    output: z.object({ module: moduleSchema }),
  }),
  startIndexJob: endpoint('POST /api/jobs', {
    summary: 'Starts indexing a site or a folder, or refreshes a module.',
    keyRight: 'index',
    right: 'sources.write',
    input: startIndexJobInput,
    output: z.object({ job: jobRunSchema }),
  }),
  listJobs: endpoint('GET /api/jobs', {
    summary: 'Lists job runs, newest first, at most 100.',
    /** `withCurrent` appends the newest run of each further source if it is in progress or failed. */
    access: 'anyone',
    keyRight: 'search',
    input: z.object({ withCurrent: z.stringbool().or(z.boolean()).optional() }),
    output: z.object({ jobs: z.array(jobRunSchema) }),
  }),
  getJob: endpoint('GET /api/jobs/:jobId', {
    summary: 'Returns one job run.',
    access: 'anyone',
    keyRight: 'search',
    input: jobId,
    output: z.object({ job: jobRunSchema }),
  }),
  cancelJob: endpoint('POST /api/jobs/:jobId/cancel', {
    summary: 'Cancels a job run. The earlier version is still served.',
    keyRight: 'index',
    input: jobId,
    output: z.object({ job: jobRunSchema }),
  }),
  retryJob: endpoint('POST /api/jobs/:jobId/retry', {
    summary: 'Repeats a finished run with the same settings.',
    keyRight: 'index',
    input: jobId,
    output: z.object({ job: jobRunSchema }),
  }),
  getJobLog: endpoint('GET /api/jobs/:jobId/log', {
    summary: 'Lists the pages that a run left out and why, in the order it found them.',
    access: 'anyone',
    keyRight: 'search',
    input: jobId.extend({
      /** Only addresses left out for this reason. */
      reason: z.string().max(100).optional(),
      /** Only addresses that contain this text. */
      words: z.string().trim().max(limits.queryCharactersMax).optional(),
      /** `next` of the previous response. */
      after: z.coerce.number().int().min(0).optional(),
      limit: z.coerce.number().int().min(1).max(limits.jobLogPageMax).default(limits.jobLogPageMax),
    }),
    /** `total` counts the kept entries that match; a run keeps the first 2,000. */
    output: z.object({ entries: z.array(jobLogEntrySchema), next: z.int().nullable(), total: z.int() }),
  }),
  refreshModule: endpoint('POST /api/modules/:moduleId/refresh', {
    summary: 'Refreshes a module from its source, with the same limits and credential.',
    keyRight: 'index',
    input: removeModuleInput.extend({
      /** For sites: only the pages that failed in the last run, and pages linked from them. */
      onlyFailed: z.stringbool().or(z.boolean()).optional(),
    }),
    output: z.object({ job: jobRunSchema }),
  }),
  recogniseSource: endpoint('GET /api/sources/recognise', {
    summary: 'Returns what an address is: a site, a repository, a PDF file or a folder. Sends no request to its host.',
    keyRight: 'index',
    input: z.object({ address: z.string().trim().min(1, 'give an address').max(limits.urlCharactersMax) }),
    output: z.object({ source: recognisedSourceSchema }),
  }),
  getPrivateIndex: endpoint('GET /api/private-index', {
    summary: 'Returns the current workspace’s private index with its modules.',
    keyRight: 'search',
    output: z.object({ index: privateIndexSchema }),
  }),
};
