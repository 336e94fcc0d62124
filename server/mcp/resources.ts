import {
  type CompleteResult,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server';
import { slugOf } from '#contract/product-name.ts';
import { countOf } from '#contract/quantities.ts';
import type { Search } from '#server/features/search/index.ts';
import { cleanLabel } from '#server/features/search/index.ts';
import type { Caller } from './caller.ts';
import { isNotFound } from './failures.ts';

type Module = Awaited<ReturnType<Search['listModules']>>[number];

interface ResourceDeps {
  search: Search;
  productName: string;
}

const mimeType = 'text/markdown';
const completionsMax = 100;
const resourcesPerPage = 100;
const pagesPerPart = 200;

/**
 * Returns one part of the modules the caller may read, each id once: a private module hides the public one of the same
 * name. `cursor` is the previous part's `nextCursor`. An invalid cursor, or one for a list that has since changed,
 * continues after its sort position.
 */
export async function listResources(
  deps: ResourceDeps,
  caller: Caller,
  cursor?: string,
): Promise<{ resources: Resource[]; nextCursor?: string }> {
  const modules = new Map<string, Module>();
  for (const module of await deps.search.listModules(caller.ctx)) {
    if (!modules.has(module.moduleId)) modules.set(module.moduleId, module);
  }
  const after = cursor === undefined ? '' : Buffer.from(cursor, 'base64url').toString('utf8');
  const sorted = [...modules.values()].sort((a, b) => compare(placeOf(a), placeOf(b)));
  const rest = sorted.filter((module) => compare(placeOf(module), after) > 0);
  const part = rest.slice(0, resourcesPerPage);
  const resources = part.map((module) => resourceOf(deps, module));
  const last = part.at(-1);
  if (last === undefined || rest.length === part.length) return { resources };
  return { resources, nextCursor: Buffer.from(placeOf(last), 'utf8').toString('base64url') };
}

/** Sorts private modules first. */
function placeOf({ visibility, moduleId }: Module): string {
  return `${visibility === 'private' ? 0 : 1} ${moduleId}`;
}

/** `size` is the size of the text a read returns; the module's searchable size is in `_meta`. */
function resourceOf(deps: ResourceDeps, module: Module): Resource {
  return {
    uri: moduleUri(deps.productName, module.moduleId),
    name: cleanLabel(module.displayName),
    description: summaryOf(module),
    mimeType,
    size: Buffer.byteLength(moduleText(deps.productName, module), 'utf8'),
    annotations: { audience: ['assistant'], ...freshness(module.lastUpdatedAt) },
    _meta: {
      [`${slugOf(deps.productName)}/tokens`]: module.tokenCount,
      [`${slugOf(deps.productName)}/pages`]: module.pageCount,
    },
  };
}

function freshness(at: number | null): { lastModified?: string } {
  return at === null ? {} : { lastModified: new Date(at).toISOString() };
}

export function listResourceTemplates(productName: string): ResourceTemplateType[] {
  const scheme = `${slugOf(productName)}://module/{id}`;
  return [
    { uriTemplate: scheme, name: 'module', description: 'A library', mimeType },
    { uriTemplate: `${scheme}/pages/{part}`, name: 'pages', description: 'Addresses of its pages', mimeType },
    { uriTemplate: 'https://{+address}', name: 'page', description: 'A page of documentation', mimeType },
  ];
}

/**
 * Returns a module's description, its list of pages, or a page. Throws the protocol's not-found error for anything
 * else.
 */
export async function readResource(deps: ResourceDeps, caller: Caller, uri: string): Promise<ReadResourceResult> {
  const { text, at } = await contentOf(deps, caller, uri);
  const read = freshness(at);
  return { contents: [{ uri, mimeType, text, ...('lastModified' in read ? { _meta: read } : {}) }] };
}

/** Returns ids that begin with the typed text, then those of modules that contain it in their id, name or library. */
export async function completeModuleId(deps: ResourceDeps, caller: Caller, begun: string): Promise<CompleteResult> {
  const modules = await deps.search.listModules(caller.ctx);
  const typed = begun.toLowerCase();
  const isBegun = ({ moduleId }: Module) => moduleId.startsWith(typed);
  const isNamed = (module: Module) =>
    [module.moduleId, module.displayName, module.library].some((name) => name.toLowerCase().includes(typed));
  const fitting = [...modules.filter(isBegun), ...modules.filter((module) => !isBegun(module) && isNamed(module))];
  const ids = [...new Set(fitting.map((module) => module.moduleId))];
  return {
    completion: { values: ids.slice(0, completionsMax), total: ids.length, hasMore: ids.length > completionsMax },
  };
}

interface Content {
  text: string;
  /** Time when the content was fetched from its source. */
  at: number | null;
}

async function contentOf(deps: ResourceDeps, caller: Caller, uri: string): Promise<Content> {
  const [, id, part] = moduleAddress(deps.productName).exec(uri) ?? [];
  if (id !== undefined) {
    const moduleId = decoded(id);
    return part === undefined
      ? moduleContent(deps, caller, uri, moduleId)
      : pagesContent(deps, caller, { uri, moduleId, part });
  }
  if (!/^https?:\/\//.test(uri)) throw new ResourceNotFoundError(uri);
  try {
    const { text, fetchedAt } = await deps.search.readUrl(caller.ctx, { url: uri }, undefined);
    return { text, at: fetchedAt };
  } catch (error) {
    if (isNotFound(error)) throw new ResourceNotFoundError(uri, error.message);
    throw error;
  }
}

async function moduleContent(deps: ResourceDeps, caller: Caller, uri: string, moduleId: string): Promise<Content> {
  const modules = await deps.search.listModules(caller.ctx);
  const module = modules.find((candidate) => candidate.moduleId === moduleId);
  if (module === undefined) throw new ResourceNotFoundError(uri);
  return { text: moduleText(deps.productName, module), at: module.lastUpdatedAt };
}

async function pagesContent(
  deps: ResourceDeps,
  caller: Caller,
  { uri, moduleId, part }: { uri: string; moduleId: string; part: string },
): Promise<Content> {
  const from = (Number(part) - 1) * pagesPerPart;
  const found = await deps.search.listPages(caller.ctx, { moduleId, from, count: pagesPerPart });
  if (found === undefined || found.pages.length === 0) throw new ResourceNotFoundError(uri);
  const { module, pages, total } = found;
  const isLast = from + pages.length >= total;
  const next = isLast ? [] : ['', `More: ${moduleUri(deps.productName, moduleId)}/pages/${Number(part) + 1}`];
  const lines = pages.map(({ url, title }) => `- ${title}: ${cleanLabel(url, 4_096)}`);
  const heading = `# ${cleanLabel(module.displayName)}: pages ${from + 1} to ${from + pages.length} of ${total}`;
  return { text: [heading, '', ...lines, ...next].join('\n'), at: module.lastUpdatedAt };
}

function moduleText(productName: string, module: Module): string {
  const pages = `${moduleUri(productName, module.moduleId)}/pages/1`;
  return `# ${cleanLabel(module.displayName)}\n\n${module.url}\n\n${summaryOf(module)}. Search it with module "${module.moduleId}". Its pages: ${pages}`;
}

function moduleAddress(productName: string): RegExp {
  return new RegExp(`^${slugOf(productName)}://module/([^/]+)(?:/pages/([1-9]\\d{0,6}))?$`);
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    // Not a valid module id.
    return '';
  }
}

/** Compares the same way on every machine, regardless of its locale. */
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function moduleUri(productName: string, moduleId: string): string {
  return `${slugOf(productName)}://module/${encodeURIComponent(moduleId)}`;
}

function summaryOf(module: Module): string {
  const visibility = module.visibility === 'private' ? 'Private documentation' : 'Documentation';
  const updated =
    module.lastUpdatedAt === null ? '' : `, updated ${new Date(module.lastUpdatedAt).toISOString().slice(0, 10)}`;
  return `${visibility}: ${countOf(module.pageCount, 'page')}, ${countOf(module.snippetCount, 'passage')}${updated}`;
}
