import type { Role } from '#server/platform/config/config-variables.ts';

/** The MCP end point: people and clients write its address with a slash at the end too. */
export const mcpPaths = ['/mcp', '/mcp/'];
/** End points of agents; beside the first of them stands a page for whoever opens its address to look at it. */
const agentPaths = [...mcpPaths, '/search_documentation', '/read'];
/** What a client without a key is sent to by the answer of `/mcp`: whoever gives that answer can give this one. */
const describesAgentPaths = /^\/\.well-known\/oauth-protected-resource(\/|$)/;

/**
 * Whether a process of these roles answers a request for a path. `/healthz` is answered by every process and is not asked here;
 * a process of workers alone answers nothing else.
 */
export function isServed(roles: readonly Role[], request: { path: string; isForPage: boolean }): boolean {
  const { path, isForPage } = request;
  if (describesAgentPaths.test(path)) return roles.includes('web') || roles.includes('mcp');
  const hasPage = isForPage && mcpPaths.includes(path);
  return roles.includes(agentPaths.includes(path) && !hasPage ? 'mcp' : 'web');
}
