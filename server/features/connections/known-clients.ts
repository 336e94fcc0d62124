import type { ClientMetadata } from './client-metadata.ts';

/** When the copies below were last compared with the published ones (`node scripts/client-documents.mjs`). */
export const knownClientsDate = '2026-11-24';

const loopback = ['http://127.0.0.1/callback', 'http://localhost/callback'];

/** Copies of the published descriptions of widely used clients, for servers that cannot read the sites. */
export const knownClients: Record<string, Pick<ClientMetadata, 'name' | 'redirectUris'>> = {
  'https://claude.ai/oauth/claude-code-client-metadata': { name: 'Claude Code', redirectUris: loopback },
  'https://claude.ai/oauth/mcp-oauth-client-metadata': {
    name: 'Claude',
    redirectUris: ['https://claude.ai/api/mcp/auth_callback'],
  },
  'https://chatgpt.com/oauth/codex/client.json': { name: 'Codex', redirectUris: loopback },
  'https://opencode.ai/oauth/opencode/client.json': { name: 'opencode', redirectUris: loopback },
  'https://vscode.dev/oauth/client-metadata.json': {
    name: 'Visual Studio Code',
    redirectUris: ['http://127.0.0.1:33418/', 'https://vscode.dev/redirect'],
  },
  'https://zed.dev/oauth/client-metadata.json': { name: 'Zed', redirectUris: ['http://127.0.0.1/callback'] },
};

/**
 * Codex publishes one description per server it signs in to, identified by the id at the end of its redirect address.
 */
const codexDescription = /^https:\/\/chatgpt\.com\/oauth\/codex\/([\w-]{1,100})\/client\.json$/;

/** Returns the copy of the description published at this address; undefined if there is none. */
export function knownClientAt(clientId: string): ClientMetadata | undefined {
  const callbackId = codexDescription.exec(clientId)?.[1];
  const known = Object.hasOwn(knownClients, clientId)
    ? knownClients[clientId]
    : callbackId === undefined
      ? undefined
      : { name: 'Codex', redirectUris: loopback.map((address) => `${address}/${callbackId}`) };
  return known && { ...known, usesRefresh: true };
}
