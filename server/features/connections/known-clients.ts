import type { ClientMetadata } from './client-metadata.ts';

/** When the copies below were last compared with what the sites publish (`node scripts/client-documents.mjs`). */
export const knownClientsDate = '2026-11-24';

const loopback = ['http://127.0.0.1/callback', 'http://localhost/callback'];

/** Copies of the descriptions that widely used clients publish, for servers that cannot read the sites. */
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

/** Codex has one description for each server it signs in to, told apart by an id that its redirect address ends with. */
const codexDescription = /^https:\/\/chatgpt\.com\/oauth\/codex\/([\w-]{1,100})\/client\.json$/;

/** The copy of what is published at this address; undefined when there is none. */
export function knownClientAt(clientId: string): ClientMetadata | undefined {
  const callbackId = codexDescription.exec(clientId)?.[1];
  const known = Object.hasOwn(knownClients, clientId)
    ? knownClients[clientId]
    : callbackId === undefined
      ? undefined
      : { name: 'Codex', redirectUris: loopback.map((address) => `${address}/${callbackId}`) };
  return known && { ...known, usesRefresh: true };
}
