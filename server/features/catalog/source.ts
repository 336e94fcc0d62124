import { isAbsolute, join, resolve, sep } from 'node:path';
import { z } from 'zod';
import * as limits from '#contract/limits.ts';
import { sourceRefused } from '#server/app-error.ts';
import { storedJson } from '#server/platform/db/stored-json.ts';
import { GitError } from '#server/platform/git/git-error.ts';
import { fullNameOf, parseRemote } from '#server/platform/git/git-remote.ts';
import { parseGitAddress, repositoryKeyOf } from './git-address.ts';

const common = {
  /** Address of a site's start page or of a repository, absolute path of a folder, or name of a PDF set. */
  url: z.string(),
  seeds: z.array(z.string()).default([]),
  maxPages: z.int(),
  depth: z.int().optional(),
  /** As configured by a user; otherwise derived from the address. */
  library: z.string().optional(),
  version: z.string().optional(),
};

/** How to fetch a module again: stored as JSON in its row and in every run. */
export const sourceSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('site'),
    ...common,
    credentialId: z.string().optional(),
    /** Pages are rendered in a browser before they are read. */
    rendersScripts: z.boolean().optional(),
  }),
  z.object({ kind: z.literal('folder'), ...common }),
  z.object({
    kind: z.literal('git'),
    ...common,
    /** If absent, the repository's default branch. */
    ref: z.object({ kind: z.enum(['branch', 'tag']), name: z.string() }).optional(),
    /** Restricts the source to this folder; without leading or trailing slash. */
    folder: z.string().optional(),
    credentialId: z.string().optional(),
  }),
  z.object({ kind: z.literal('pdf'), ...common, setId: z.string() }),
]);
export type Source = z.infer<typeof sourceSchema>;

/** Parses a row's source; undefined if the row is damaged. */
export function sourceIn(text: string): Source | undefined {
  return sourceSchema.safeParse(storedJson(text, undefined)).data;
}

/** Replaces the source of a damaged row, so that the module's segments stay searchable. */
export const unknownSource: Source = { kind: 'folder', url: '', seeds: [], maxPages: 0 };

export type SourceOf<Kind extends Source['kind']> = Extract<Source, { kind: Kind }>;

/** Narrows the source to its kind; each collector receives only its own kind. */
export function sourceOfKind<Kind extends Source['kind']>(source: Source, kind: Kind): SourceOf<Kind> {
  if (source.kind === kind) return source as SourceOf<Kind>;
  throw new Error(`a source of the kind ${source.kind} where one of the kind ${kind} was expected`);
}

const hostedPrefix = 'github:';

/** Returns the credential id of a source that is read through a connected code host account. */
export const hostedCredentialId = (id: string) => `${hostedPrefix}${id}`;

/** Returns the id of the hosted repository that a credential id names; undefined for a stored credential. */
export function hostedIdOf(credentialId: string | undefined): string | undefined {
  return credentialId?.startsWith(hostedPrefix) === true ? credentialId.slice(hostedPrefix.length) : undefined;
}

/** Returns a folder module's source; undefined for other kinds and for damaged rows. */
export function folderSourceOf(module: { kind: Source['kind']; source: string }): SourceOf<'folder'> | undefined {
  const source = module.kind === 'folder' ? sourceIn(module.source) : undefined;
  return source && sourceOfKind(source, 'folder');
}

/** Returns the source that a run read, from its row; undefined if the row is damaged. */
export function sourceOfRun(run: { settings: string } | undefined): Source | undefined {
  return run && sourceIn(JSON.stringify(storedJson<Partial<JobSettings>>(run.settings, {}).source ?? null));
}

/** Folder, below the program's, where the build puts the product's documentation as Markdown files. */
export const ownDocsFolder = join('dist', 'docs', 'pages');

/** Returns true for the documentation that comes with the product, wherever the program is installed. */
export function isOwnDocs({ kind, url }: Pick<Source, 'kind' | 'url'>): boolean {
  return kind === 'folder' && url.endsWith(`${sep}${ownDocsFolder}`);
}

/** Settings of a run beyond its row's columns; stored as JSON in the row. */
export interface JobSettings {
  source: Source;
  /** Where this run's records are stored; a run that resumes a failed one uses the same place. */
  spoolId: string;
  /** True to read only the pages that failed in the last run. */
  isRetry?: boolean;
  /** Number of consecutive runs started because pages of the previous run failed, including this one. */
  retries?: number;
}

export type ParsedSource =
  | { kind: 'site' | 'folder'; url: string }
  | ({ kind: 'git' } & Pick<SourceOf<'git'>, 'url' | 'ref' | 'folder'>);

/**
 * Distinguishes sites, repositories and folders; throws for anything else, with a message that says which forms are
 * accepted.
 */
export function parseSource(text: string): ParsedSource {
  if (isAbsolute(text)) return { kind: 'folder', url: resolve(text) };
  const repository = parseGitAddress(text);
  if (repository !== undefined) {
    const { url, refName, folder } = repository;
    return gitSource({ url, ref: refName === undefined ? undefined : { kind: 'branch', name: refName }, folder });
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) {
    throw sourceRefused(
      `"${text}" is neither an address nor the absolute path of a folder. Give an address such as https://docs.example.org/.`,
    );
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw sourceRefused(
      `Addresses that start with ${url.protocol} are not supported. Use one that starts with https://, http:// or ssh://.`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw sourceRefused(
      'Remove the user name and password from the address, because they would be stored unencrypted.',
    );
  }
  url.hash = '';
  return { kind: 'site', url: url.href };
}

/** Returns true if an address or path ends like that of a PDF file. */
export function isPdfFile(url: string): boolean {
  return /\.pdf$/i.test(URL.parse(url)?.pathname ?? url);
}

/** Returns a repository source, or a part of one; throws for addresses, names and folders that git would not accept. */
export function gitSource(parts: Pick<SourceOf<'git'>, 'url' | 'ref' | 'folder'>): ParsedSource {
  const folder = parts.folder?.replace(/^\/+|\/+$/g, '') || undefined;
  if (folder?.split('/').some((part) => ['', '.', '..'].includes(part) || /\p{Cc}/u.test(part))) {
    throw sourceRefused(`"${parts.folder}" is not a folder in a repository. Write it like docs/guide.`);
  }
  if (parts.url.length > limits.indexedAddressBytesMax) throw sourceRefused('The address is too long.');
  try {
    parseRemote(parts.url);
    if (parts.ref !== undefined) fullNameOf(parts.ref);
  } catch (error) {
    if (error instanceof GitError) throw sourceRefused(error.message);
    throw error;
  }
  return { kind: 'git', url: parts.url, ref: parts.ref, folder };
}

/**
 * Returns a slug such as `docs.python.org~3`: host (with port) and path of a site or repository, or the name of a
 * folder.
 */
export function defaultModuleId(source: ParsedSource): string {
  const slug = idPartsOf(source)
    .map((part) =>
      withNamedAddress(part.toLowerCase())
        .replace(/[^a-z0-9._+-]+/g, '-')
        .replace(/^[^a-z0-9]+|-+$/g, ''),
    )
    .filter((part) => part !== '')
    .join('~');
  return slug.slice(0, limits.moduleIdCharactersMax) || 'module';
}

/** Turns an IPv6 address into a name without losing parts: `[2001:db8::1]` becomes `ipv6-2001-db8-0-1`. */
function withNamedAddress(part: string): string {
  return part.replace(/^\[([0-9a-f]*:[0-9a-f:]*)\]/, (_, address: string) => {
    return `ipv6-${address.replace('::', ':0:').replace(/^:|:$/g, '').replaceAll(':', '-')}`;
  });
}

function idPartsOf(source: ParsedSource): string[] {
  switch (source.kind) {
    case 'folder':
      return [source.url.split(/[\\/]/).findLast((part) => part !== '') ?? 'folder'];
    case 'git':
      return [...repositoryKeyOf(source.url).split('/'), source.ref?.name ?? '', ...(source.folder?.split('/') ?? [])];
    case 'site':
      return [new URL(source.url).host, ...pathParts(new URL(source.url).pathname)];
  }
}

function pathParts(path: string): string[] {
  const parts = path.split('/').filter((part) => part !== '');
  const last = parts.at(-1);
  return last !== undefined && /\.(html?|md|txt|xml)$/i.test(last) ? parts.slice(0, -1) : parts;
}
