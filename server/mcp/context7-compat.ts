import { sentenceOf } from '#contract/errors.ts';
import { slugOf } from '#contract/product-name.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { readApiKey } from '#server/features/keys/index.ts';
import { asKnownFault } from '#server/features/known-fault.ts';
import { type AgentRef, cleanLabel, type Search } from '#server/features/search/index.ts';
import { toldStatus } from './failures.ts';

export interface Context7CompatDeps {
  search: Search;
  productName: string;
  authenticate(secret: string | undefined, request: Request): Promise<Context>;
}

export interface Context7CompatRoutes {
  /** `GET …/v2/libs/search?query=…&libraryName=…` */
  searchLibraries(request: Request): Promise<Response>;
  /** `GET …/v2/context?query=…&libraryId=…` */
  context(request: Request): Promise<Response>;
}

const librariesMax = 10;

/**
 * Creates the two endpoints used by the published client `@upstash/context7-mcp`, which finds us through
 * `CONTEXT7_API_URL`. The client shows an agent the libraries that match a name, then text about one of them; for an
 * error it shows `message`.
 */
export function createContext7CompatRoutes(deps: Context7CompatDeps): Context7CompatRoutes {
  return {
    searchLibraries: (request) =>
      answer(deps, request, async (ctx, parameters) => {
        const name = parameters.get('libraryName') ?? '';
        const found = await deps.search.findLibraries(ctx, name, librariesMax);
        const results = found.map((module) => ({
          id: `/${slugOf(deps.productName)}/${module.moduleId}`,
          title: cleanLabel(module.displayName),
          description: `${module.visibility === 'private' ? 'Private documentation' : 'Documentation'} of ${cleanLabel(module.url, 300)}`,
          ...(module.version === null ? {} : { versions: [cleanLabel(module.version, 50)] }),
          totalSnippets: module.snippetCount,
          ...(module.lastUpdatedAt === null ? {} : { lastUpdateDate: new Date(module.lastUpdatedAt).toISOString() }),
        }));
        return Response.json({ results });
      }),
    context: (request) =>
      answer(deps, request, async (ctx, parameters) => {
        const module = await moduleNamed(deps.search, ctx, parameters.get('libraryId') ?? '');
        const input = { query: parameters.get('query') ?? '', module };
        const { text } = await deps.search.searchDocs(ctx, input, agentOf(request), 'text');
        return new Response(text, { headers: { 'content-type': 'text/plain; charset=utf-8' } });
      }),
  };
}

/**
 * Returns the module for a Context7 id (`/owner/library` or `/owner/library/version`); agents also send ids they know
 * from elsewhere.
 */
async function moduleNamed(search: Search, ctx: Context, libraryId: string): Promise<string> {
  const parts = libraryId.split('/').filter((part) => part !== '');
  const [owner = '', library = owner, version] = parts;
  const ids = new Set((await search.listModules(ctx)).map(({ moduleId }) => moduleId));
  const named = [library, owner].find((part) => ids.has(part));
  return named ?? (version === undefined ? library : `${library}@${version.replace(/^v(?=\d)/, '')}`);
}

function agentOf(request: Request): AgentRef {
  return {
    sessionId: request.headers.get('mcp-session-id') ?? undefined,
    clientName: request.headers.get('x-context7-client-ide') ?? 'context7-mcp',
  };
}

async function answer(
  deps: Context7CompatDeps,
  request: Request,
  body: (ctx: Context, parameters: URLSearchParams) => Promise<Response>,
): Promise<Response> {
  let ctx: Context | undefined;
  try {
    ctx = await deps.authenticate(readApiKey(request), request);
    return await body(ctx, new URL(request.url).searchParams);
  } catch (thrown) {
    const error = asKnownFault(thrown);
    if (error instanceof AppError) {
      const told = { error: error.code, message: error.message };
      return Response.json(told, toldStatus(error));
    }
    ctx?.log.error({ err: error, requestId: ctx.requestId }, 'a call failed');
    const message = sentenceOf('internal', { requestId: ctx?.requestId ?? '' });
    return Response.json({ error: 'internal', message }, { status: 500 });
  }
}
