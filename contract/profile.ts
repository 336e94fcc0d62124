import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { jobRunSchema, jobStatusSchema, visibilitySchema } from './library.ts';
import * as limits from './limits.ts';
import { nameLine } from './name-line.ts';

/** Registries of the names in a lockfile. */
export const ecosystemSchema = z.enum(['npm', 'pypi', 'crates', 'go', 'rubygems', 'packagist']);
export type Ecosystem = z.infer<typeof ecosystemSchema>;

/** The registries' common names. */
export const ecosystemLabels: Record<Ecosystem, string> = {
  npm: 'npm',
  pypi: 'PyPI',
  crates: 'crates.io',
  go: 'Go',
  rubygems: 'RubyGems',
  packagist: 'Packagist',
};

/** A project's lockfile as parsed. */
export const profileLockfileSchema = z.object({
  /** Path within the project. */
  path: z.string(),
  kind: z.string(),
  ecosystem: ecosystemSchema,
  libraries: z.int(),
  /** Entries that pin no version, as sentences; only the first if there are many. */
  problems: z.array(z.string()),
  /** Number of entries that pin no version. */
  problemCount: z.int(),
});
export type ProfileLockfile = z.infer<typeof profileLockfileSchema>;

/** The versions that a project's lockfiles pin. */
export const profileSchema = z.object({
  profileId: z.string(),
  name: z.string(),
  lockfiles: z.array(profileLockfileSchema),
  createdAt: z.int(),
  updatedAt: z.int(),
  libraryCount: z.int(),
  /** Number of direct dependencies. */
  directCount: z.int(),
  /** Number of direct dependencies that an indexed module covers. */
  indexedCount: z.int(),
});
export type Profile = z.infer<typeof profileSchema>;

/**
 * How closely the indexed module matches the pinned version: the same version or its line (4.2 for 4.2.1), the same
 * minor or major version, a different version, or documentation without a version.
 */
export const fitSchema = z.enum(['exact', 'same-minor', 'same-major', 'other', 'unversioned']);
export type Fit = z.infer<typeof fitSchema>;

/** A source of a library's documentation, as declared by its registry. */
export const libraryOfferSchema = z.object({
  kind: z.enum(['repository', 'documentation']),
  address: z.string(),
  /** For repositories: the tag of the pinned version. */
  tag: z.string().nullable(),
  /** The version it documents; null if unknown. */
  version: z.string().nullable(),
});
export type LibraryOffer = z.infer<typeof libraryOfferSchema>;

export const pinnedLibrarySchema = z.object({
  ecosystem: ecosystemSchema,
  name: z.string(),
  version: z.string(),
  isDirect: z.boolean(),
  isDev: z.boolean(),
  /** The module that searches for it use. */
  answer: z
    .object({
      moduleId: z.string(),
      displayName: z.string(),
      visibility: visibilitySchema,
      version: z.string().nullable(),
      fit: fitSchema,
    })
    .nullable(),
  /** The run started for it here. */
  job: z.object({ jobId: z.string(), status: jobStatusSchema, error: z.string().nullable() }).nullable(),
  /** Best first. Null if its registry was not queried yet; empty if the registry declares none. */
  offers: z.array(libraryOfferSchema).nullable(),
  /** Why the registry's response is missing. */
  offersFault: z.string().nullable(),
});
export type PinnedLibrary = z.infer<typeof pinnedLibrarySchema>;

/** Identifies a pinned library. */
export const pinSchema = z.object({
  ecosystem: ecosystemSchema,
  name: z.string().min(1).max(500),
  version: z.string().min(1).max(200),
});
export type Pin = z.infer<typeof pinSchema>;

export const librariesShown = ['direct', 'missing', 'all'] as const;

const profileId = z.string().max(100);

export const setProfileInput = z.object({
  name: z.string().overwrite(nameLine).min(1, 'give the project a name').max(limits.profileNameCharactersMax),
  files: z
    .array(z.object({ path: z.string().min(1).max(1_000), text: z.string() }))
    .min(1, 'give a lockfile')
    .max(limits.profileFilesMax),
});

export const profileEndpoints = {
  listProfiles: endpoint('GET /api/profiles', {
    summary: 'Lists the current workspace’s projects, the most recently updated first.',
    keyRight: 'search',
    output: z.object({ profiles: z.array(profileSchema) }),
  }),
  setProfile: endpoint('POST /api/profiles', {
    summary: 'Pins a project’s libraries to the versions in its lockfiles. Replaces the project’s earlier pins.',
    keyRight: 'index',
    right: 'sources.write',
    input: setProfileInput,
    output: z.object({
      profile: profileSchema,
      /** False if the same files were sent before. */
      isChanged: z.boolean(),
      /** Files that could not be read, with reasons. */
      refused: z.array(z.object({ path: z.string(), reason: z.string() })),
    }),
    bodyBytesMax: limits.profileBytesMax,
    insteadOfMore:
      'Send the lockfiles alone, not the folder they are in, and fewer of them; or run ./lectern profile in a folder further down.',
  }),
  getProfile: endpoint('GET /api/profiles/:profileId', {
    summary: 'Lists a project’s libraries and which of them are indexed.',
    keyRight: 'search',
    input: z.object({
      profileId,
      shown: z.enum(librariesShown).default('direct'),
      /** Only libraries whose name contains this text. */
      words: z.string().trim().max(200).optional(),
      offset: z.coerce.number().int().min(0).default(0),
      limit: z.coerce.number().int().min(1).max(limits.pinnedLibrariesListed).default(limits.pinnedLibrariesListed),
    }),
    output: z.object({ profile: profileSchema, libraries: z.array(pinnedLibrarySchema), total: z.int() }),
  }),
  removeProfile: endpoint('DELETE /api/profiles/:profileId', {
    summary: 'Removes a project and its pins. Modules that were indexed for it stay.',
    keyRight: 'manage',
    right: 'sources.write',
    input: z.object({ profileId }),
    output: z.object({ profileId: z.string() }),
  }),
  lookUpLibraries: endpoint('POST /api/profiles/:profileId/look-ups', {
    summary: 'Asks the package registries where the pinned libraries’ documentation is. Indexes nothing.',
    keyRight: 'index',
    right: 'sources.write',
    input: z.object({ profileId, libraries: z.array(pinSchema).min(1).max(limits.librariesLookedUpMax) }),
    output: z.object({
      libraries: z.array(
        pinSchema.extend({ offers: z.array(libraryOfferSchema).nullable(), offersFault: z.string().nullable() }),
      ),
    }),
  }),
  indexLibraries: endpoint('POST /api/profiles/:profileId/index', {
    summary: 'Starts indexing the pinned libraries’ documentation, with library and version set.',
    keyRight: 'index',
    right: 'sources.write',
    input: z.object({
      profileId,
      visibility: visibilitySchema.optional(),
      libraries: z
        .array(
          pinSchema.extend({
            /** Defaults to the best address that the registry declares. */
            address: z.string().trim().min(1).max(limits.urlCharactersMax).optional(),
          }),
        )
        .min(1)
        .max(limits.librariesIndexedAtOnceMax),
    }),
    output: z.object({
      libraries: z.array(pinSchema.extend({ job: jobRunSchema.nullable(), fault: z.string().nullable() })),
    }),
  }),
};

const lockfileNames =
  /^(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|poetry\.lock|uv\.lock|pipfile\.lock|cargo\.lock|go\.mod|gemfile\.lock|gems\.locked|composer\.lock|[\w.-]*requirements[\w.-]*\.txt|constraints[\w.-]*\.txt)$/;

const foreignFolders =
  /^(?:\.|node_modules$|bower_components$|vendor$|site-packages$|venv$|env$|dist$|build$|target$|__pycache__$)/;

/**
 * Returns true if folders of this name contain third-party code or programs: their lockfiles do not belong to the
 * project.
 */
export function isForeignFolder(name: string): boolean {
  return foreignFolders.test(name);
}

/** Returns true if the file name is a supported lockfile's; its folder does not matter. */
export function isLockfileName(path: string): boolean {
  return lockfileNames.test(path.split(/[\\/]/).at(-1)?.toLowerCase() ?? '');
}
