import { sentenceOf } from '#contract/errors.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { readApiKey } from '#server/features/keys/index.ts';
import { asKnownFault } from '#server/features/known-fault.ts';
import { type AgentRef, overviewOf, type Search, toPageResults } from '#server/features/search/index.ts';
import { toldStatus } from './failures.ts';

export interface RefCompatDeps {
  search: Search;
  authenticate(secret: string | undefined, request: Request): Promise<Context>;
}

export interface RefCompatRoutes {
  /** `GET /search_documentation?query=…` */
  searchDocumentation(request: Request): Promise<Response>;
  /** `GET /read?url=…` */
  read(request: Request): Promise<Response>;
}

/**
 * Creates the two endpoints used by the published client `ref-tools-mcp`. The client shows an agent only the overview,
 * address and module of a search result, so the passage goes in the overview; for an error it shows only the status.
 */
export function createRefCompatRoutes(deps: RefCompatDeps): RefCompatRoutes {
  return {
    searchDocumentation: (request) =>
      answer(deps, request, async (ctx, parameters) => {
        const input = { query: parameters.get('query') ?? '' };
        const found = await deps.search.searchDocs(ctx, input, agentOf(request), 'overviews');
        const docs = toPageResults(found.results).map((page) => ({
          url: page.url,
          overview: overviewOf(page),
          title: page.title,
          content: page.text,
          moduleId: page.moduleId,
        }));
        // For an empty response the client says that nothing was found, which is wrong only if all passages were sent
        // before.
        const isTold = docs.length > 0 || found.isAllSent === true;
        const notes = isTold ? (found.note?.split('\n') ?? []) : [];
        return { docs: [...docs, ...notes.map((overview) => ({ url: '', overview, moduleId: '' }))] };
      }),
    read: (request) =>
      answer(deps, request, async (ctx, parameters) => {
        const page = await deps.search.readUrl(ctx, { url: parameters.get('url') ?? '' }, agentOf(request));
        return { title: page.title, content: page.text };
      }),
  };
}

function agentOf(request: Request): AgentRef {
  return { sessionId: request.headers.get('mcp-session-id') ?? undefined, clientName: 'ref-tools-mcp' };
}

async function answer(
  deps: RefCompatDeps,
  request: Request,
  body: (ctx: Context, parameters: URLSearchParams) => Promise<unknown>,
): Promise<Response> {
  let ctx: Context | undefined;
  try {
    ctx = await deps.authenticate(readApiKey(request), request);
    return Response.json(await body(ctx, new URL(request.url).searchParams));
  } catch (thrown) {
    const error = asKnownFault(thrown);
    if (error instanceof AppError) {
      return Response.json({ error: error.message }, toldStatus(error));
    }
    ctx?.log.error({ err: error, requestId: ctx.requestId }, 'a call failed');
    return Response.json({ error: sentenceOf('internal', { requestId: ctx?.requestId ?? '' }) }, { status: 500 });
  }
}
