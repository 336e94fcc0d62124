import {
  type CompleteResult,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server';
import { slugOf } from '#contract/product-name.ts';
import type { Search } from '#server/features/search/index.ts';
import { cleanLabel } from '#server/features/search/index.ts';
import type { Caller } from './caller.ts';
import { isNotFound, toProtocolError } from './failures.ts';

type Module = Awaited<ReturnType<Search['listModules']>>[number];

interface ResourceDeps {
  search: Search;
  productName: string;
}

const mimeType = 'text/markdown';
const completionsMax = 100;

/** Every module the caller may read, once per id: a private one hides the public one of its name. */
export async function listResources(deps: ResourceDeps, caller: Caller): Promise<Resource[]> {
  const resources = new Map<string, Resource>();
  for (const module of await deps.search.listModules(caller.ctx)) {
    const uri = moduleUri(deps.productName, module.moduleId);
    if (!resources.has(uri)) {
      resources.set(uri, { uri, name: cleanLabel(module.displayName), description: summaryOf(module), mimeType });
    }
  }
  return [...resources.values()];
}

export function listResourceTemplates(productName: string): ResourceTemplateType[] {
  return [
    { uriTemplate: `${slugOf(productName)}://module/{id}`, name: 'module', description: 'A library', mimeType },
    { uriTemplate: 'https://{+address}', name: 'page', description: 'A page of documentation', mimeType },
  ];
}

/** A module's description, or a page by its address. Throws the protocol's own error for what is not there. */
export async function readResource(deps: ResourceDeps, caller: Caller, uri: string): Promise<ReadResourceResult> {
  const text = await textOf(deps, caller, uri);
  return { contents: [{ uri, mimeType, text }] };
}

export async function completeModuleId(deps: ResourceDeps, caller: Caller, begun: string): Promise<CompleteResult> {
  const modules = await deps.search.listModules(caller.ctx);
  const ids = [...new Set(modules.map((module) => module.moduleId))].filter((id) => id.startsWith(begun.toLowerCase()));
  return {
    completion: { values: ids.slice(0, completionsMax), total: ids.length, hasMore: ids.length > completionsMax },
  };
}

async function textOf(deps: ResourceDeps, caller: Caller, uri: string): Promise<string> {
  const prefix = moduleUri(deps.productName, '');
  if (uri.startsWith(prefix)) {
    const modules = await deps.search.listModules(caller.ctx);
    const module = modules.find((candidate) => moduleUri(deps.productName, candidate.moduleId) === uri);
    if (module === undefined) throw new ResourceNotFoundError(uri);
    return `# ${cleanLabel(module.displayName)}\n\n${module.url}\n\n${summaryOf(module)}. Search it with module "${module.moduleId}".`;
  }
  if (!/^https?:\/\//.test(uri)) throw new ResourceNotFoundError(uri);
  try {
    return (await deps.search.readUrl(caller.ctx, { url: uri }, undefined)).text;
  } catch (error) {
    if (isNotFound(error)) throw new ResourceNotFoundError(uri, error.message);
    throw toProtocolError(caller.ctx, error);
  }
}

function moduleUri(productName: string, moduleId: string): string {
  return `${slugOf(productName)}://module/${encodeURIComponent(moduleId)}`;
}

function summaryOf(module: Module): string {
  const visibility = module.visibility === 'private' ? 'Private documentation' : 'Documentation';
  const updated =
    module.lastUpdatedAt === null ? '' : `, updated ${new Date(module.lastUpdatedAt).toISOString().slice(0, 10)}`;
  return `${visibility}: ${module.pageCount} pages, ${module.snippetCount} passages${updated}`;
}
