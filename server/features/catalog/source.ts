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
  /** As someone said; else the address tells them. */
  library: z.string().optional(),
  version: z.string().optional(),
};

/** How a module is fetched again: kept as JSON in its row and in every run. */
export const sourceSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('site'),
    ...common,
    credentialId: z.string().optional(),
    /** Pages are shown in a browser before they are read. */
    rendersScripts: z.boolean().optional(),
  }),
  z.object({ kind: z.literal('folder'), ...common }),
  z.object({
    kind: z.literal('git'),
    ...common,
    /** Left out: the branch that the repository itself names. */
    ref: z.object({ kind: z.enum(['branch', 'tag']), name: z.string() }).optional(),
    /** Only what is below it, without slashes at its ends. */
    folder: z.string().optional(),
    credentialId: z.string().optional(),
  }),
  z.object({ kind: z.literal('pdf'), ...common, setId: z.string() }),
]);
export type Source = z.infer<typeof sourceSchema>;

/** How a row says that something is fetched again; undefined where the row is damaged. */
export function sourceIn(text: string): Source | undefined {
  return sourceSchema.safeParse(storedJson(text, undefined)).data;
}

/** Stands in where a row is damaged: what the module serves can be searched nonetheless. */
export const unknownSource: Source = { kind: 'folder', url: '', seeds: [], maxPages: 0 };

/** The source of one kind. */
export type SourceOf<Kind extends Source['kind']> = Extract<Source, { kind: Kind }>;

/** The source as one of its kind; a collector is given no other. */
export function sourceOfKind<Kind extends Source['kind']>(source: Source, kind: Kind): SourceOf<Kind> {
  if (source.kind === kind) return source as SourceOf<Kind>;
  throw new Error(`a source of the kind ${source.kind} where one of the kind ${kind} was expected`);
}

const hostedPrefix = 'github:';

/** What a source names as its credential when it is read over a connected account of a code host. */
export const hostedCredentialId = (id: string) => `${hostedPrefix}${id}`;

/** Returns the id of the hosted repository that a source's credential names; undefined for a stored credential. */
export function hostedIdOf(credentialId: string | undefined): string | undefined {
  return credentialId?.startsWith(hostedPrefix) === true ? credentialId.slice(hostedPrefix.length) : undefined;
}

/** How the folder of a module is read; undefined for what is no folder, and where the row is damaged. */
export function folderSourceOf(module: { kind: Source['kind']; source: string }): SourceOf<'folder'> | undefined {
  const source = module.kind === 'folder' ? sourceIn(module.source) : undefined;
  return source && sourceOfKind(source, 'folder');
}

/** What a run read, as its row says; undefined where the row is damaged. */
export function sourceOfRun(run: { settings: string } | undefined): Source | undefined {
  return run && sourceIn(JSON.stringify(storedJson<Partial<JobSettings>>(run.settings, {}).source ?? null));
}

/** Where the build leaves the product's documentation as Markdown files, below the folder of the program. */
export const ownDocsFolder = join('dist', 'docs', 'pages');

/** Returns true for the documentation that comes with the product, wherever the program lies. */
export function isOwnDocs({ kind, url }: Pick<Source, 'kind' | 'url'>): boolean {
  return kind === 'folder' && url.endsWith(`${sep}${ownDocsFolder}`);
}

/** What a run needs beside its row; kept as JSON in the row. */
export interface JobSettings {
  source: Source;
  /** Where the records of this run are kept; a run that takes up a failed one uses the same place. */
  spoolId: string;
  /** Reads only what the last run could not. */
  isRetry?: boolean;
  /** How many runs in a row were started because pages of the one before had failed, this one included. */
  retries?: number;
}

/** Where something is, as an address says it. */
export type ParsedSource =
  | { kind: 'site' | 'folder'; url: string }
  | ({ kind: 'git' } & Pick<SourceOf<'git'>, 'url' | 'ref' | 'folder'>);

/** Tells sites, repositories and folders apart; refuses what is none with a sentence that says what would do. */
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
      `Addresses of the kind ${url.protocol} are not read. Give one that starts with https://, http:// or ssh://.`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw sourceRefused(
      'Take the name and password out of the address; credentials in an address would be stored in the clear.',
    );
  }
  url.hash = '';
  return { kind: 'site', url: url.href };
}

/** Returns true if an address or path is that of one PDF file, by its ending. */
export function isPdfFile(url: string): boolean {
  return /\.pdf$/i.test(URL.parse(url)?.pathname ?? url);
}

/** A repository, or the part of one; refuses addresses, names and folders that git would not take. */
export function gitSource(parts: Pick<SourceOf<'git'>, 'url' | 'ref' | 'folder'>): ParsedSource {
  const folder = parts.folder?.replace(/^\/+|\/+$/g, '') || undefined;
  if (folder?.split('/').some((part) => ['', '.', '..'].includes(part))) {
    throw sourceRefused(`"${parts.folder}" is no folder of a repository. Write it as docs/guide.`);
  }
  try {
    parseRemote(parts.url);
    if (parts.ref !== undefined) fullNameOf(parts.ref);
  } catch (error) {
    if (error instanceof GitError) throw sourceRefused(error.message);
    throw error;
  }
  return { kind: 'git', url: parts.url, ref: parts.ref, folder };
}

/** A slug such as `docs.python.org~3`: host (with port) and path of a site or repository, or the name of a folder. */
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

/** An IPv6 address as a name: `[2001:db8::1]` becomes `ipv6-2001-db8-0-1`, in which no part is lost. */
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
