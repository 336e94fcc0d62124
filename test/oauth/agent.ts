import {
  Client,
  type OAuthClientInformation,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { UnauthorizedError as OlderUnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport as OlderTransportType } from '@modelcontextprotocol/sdk/shared/transport.js';
import { onTestFinished } from 'vitest';

export type AgentKind = 'session-less' | 'session-bearing' | 'older SDK';
export const agentKinds: AgentKind[] = ['session-less', 'session-bearing', 'older SDK'];

/** A client of the protocol without a key: its stored credentials, and the address that it would open in a browser. */
export interface Agent {
  kept: { client?: OAuthClientInformation | undefined; tokens?: OAuthTokens | undefined; verifier?: string };
  /** Tries to connect; returns undefined on success, otherwise the address to open. */
  connect(): Promise<URL | undefined>;
  /** Continues with the parameters that the browser returned. */
  finish(callback: URL): Promise<void>;
  toolNames(): Promise<string[]>;
}

/** Where an agent waits for the browser, unless a test listens elsewhere. */
export const callback = 'http://127.0.0.1:43117/callback';

/** Creates a real client of each era with its own OAuth code; closed after the test. */
export function agent(kind: AgentKind, url: string, options: { metadataUrl?: string; callback?: string } = {}): Agent {
  const kept: Agent['kept'] = {};
  let toOpen: URL | undefined;
  let discovery: OAuthDiscoveryState | undefined;
  const redirectUrl = options.callback ?? callback;
  const provider: OAuthClientProvider = {
    redirectUrl,
    ...(options.metadataUrl === undefined ? {} : { clientMetadataUrl: options.metadataUrl }),
    clientMetadata: {
      client_name: 'Test editor',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    state: () => 'state-of-the-agent',
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void (kept.client = client as OAuthClientInformation),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    redirectToAuthorization: (address) => void (toOpen = address),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier ?? '',
    invalidateCredentials: (what) => {
      if (what === 'tokens' || what === 'all') kept.tokens = undefined;
      if (what === 'client' || what === 'all') kept.client = undefined;
    },
    saveDiscoveryState: (state) => void (discovery = state),
    discoveryState: () => discovery,
  };
  let connection = open(kind, url, provider);
  onTestFinished(() => connection.close());
  return {
    kept,
    async connect() {
      connection = open(kind, url, provider);
      try {
        await connection.connect();
        return undefined;
      } catch (error) {
        if (!(error instanceof UnauthorizedError || error instanceof OlderUnauthorizedError)) throw error;
        return toOpen;
      }
    },
    finish: (address) => connection.finish(address.searchParams),
    toolNames: () => connection.toolNames(),
  };
}

interface Connection {
  connect(): Promise<void>;
  finish(params: URLSearchParams): Promise<void>;
  toolNames(): Promise<string[]>;
  close(): Promise<void>;
}

function open(kind: AgentKind, url: string, authProvider: OAuthClientProvider): Connection {
  const info = { name: 'test-editor', version: '1.0.0' };
  if (kind === 'older SDK') {
    const client = new OlderClient(info);
    const transport = new OlderTransport(new URL(url), { authProvider: authProvider as never });
    return {
      connect: () => client.connect(transport as OlderTransportType),
      finish: (params) => transport.finishAuth(params.get('code') ?? ''),
      toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
      close: () => client.close(),
    };
  }
  const mode = kind === 'session-less' ? { pin: '2026-07-28' } : 'legacy';
  const client = new Client(info, { versionNegotiation: { mode } } as ConstructorParameters<typeof Client>[1]);
  const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider });
  return {
    connect: () => client.connect(transport),
    finish: (params) => transport.finishAuth(params),
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    close: () => client.close(),
  };
}
