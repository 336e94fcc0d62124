import type { Role } from '#server/platform/config/config-variables.ts';

/** The MCP end point: people and clients write its address with a slash at the end too. */
export const mcpPaths = ['/mcp', '/mcp/'];
/** End points of agents; the first one also serves a page to people who open its address in a browser. */
const agentPaths = [...mcpPaths, '/search_documentation', '/read'];
/** Where the response of `/mcp` sends a client without a key; any process that serves `/mcp` serves these too. */
const describesAgentPaths = /^\/\.well-known\/oauth-protected-resource(\/|$)/;

/**
 * Returns true if a process of these roles answers a request for a path. `/healthz`, `/readyz` and `/metrics` are answered by every process
 * and are not asked here; a process of workers alone answers nothing else.
 */
export function isServed(roles: readonly Role[], request: { path: string; isForPage: boolean }): boolean {
  const { path, isForPage } = request;
  if (describesAgentPaths.test(path)) return roles.includes('web') || roles.includes('mcp');
  const hasPage = isForPage && mcpPaths.includes(path);
  return roles.includes(agentPaths.includes(path) && !hasPage ? 'mcp' : 'web');
}
