import {
  allowInsecureRequests,
  ClientSecretPost,
  customFetch,
  processRefreshTokenResponse,
  refreshTokenGrantRequest,
  type TokenEndpointResponse,
} from 'oauth4webapi';
import type { HostingMethod } from '#contract/hosting.ts';
import {
  type CodeFlow,
  codeFlowUrl,
  exchangeCode,
  guardedFetch,
  translatingFaults,
} from '../../identity/code-exchange.ts';
import { githubServer } from '../../identity/github-provider.ts';
import { SocialSignInError } from '../../identity/social-provider.ts';
import { type CodeHost, CodeHostError, type HostToken } from '../code-host.ts';
import { asking, type GithubParts, githubClient } from './github-client.ts';

/** An OAuth application has no narrower scope for private repositories; an App has its permissions instead. */
const oauthScope = 'repo';

/** Creates the connection flow for either kind of application: the code flow with state and PKCE. */
export function githubOauth(
  config: GithubConfig,
  parts: GithubParts,
): Pick<CodeHost, 'authorizeUrl' | 'exchange' | 'refresh' | 'revoke'> {
  const clientOf = (method: HostingMethod) => {
    const client = config[method];
    if (client === undefined) throw new CodeHostError('refused', `connecting by ${method} is not configured`);
    return client;
  };
  const flowOf = (method: HostingMethod): CodeFlow => {
    const { clientId, clientSecret } = clientOf(method);
    return {
      server: githubServer(config.url),
      client: { clientId, clientSecret, url: config.url },
      scope: method === 'oauth' ? oauthScope : '',
      outbound: parts.outbound,
    };
  };
  const socialSecrets = (secrets: { state: string; codeVerifier: string }) => ({ ...secrets, nonce: '' });
  return {
    authorizeUrl: (method, redirectUri, secrets) => codeFlowUrl(flowOf(method), redirectUri, socialSecrets(secrets)),
    exchange: (method, query, redirectUri, secrets) =>
      asHostFaults(async () =>
        tokenOf(await exchangeCode(flowOf(method), query, redirectUri, socialSecrets(secrets)), parts.now()),
      ),
    refresh: (method, refreshToken) => asHostFaults(() => refreshTokens(flowOf(method), refreshToken, parts)),
    revoke: (method, accessToken) =>
      asking(parts, 'revoking', async () => {
        const { clientId, clientSecret } = clientOf(method);
        const octokit = await githubClient(parts);
        const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
        await octokit
          .request('DELETE /applications/{client_id}/token', {
            client_id: clientId,
            access_token: accessToken,
            headers: { authorization: `basic ${basic}` },
          })
          .catch((error: unknown) => {
            // 404 and 422 mean that the token no longer exists.
            const status = (error as { status?: number }).status;
            if (status !== 404 && status !== 422) throw error;
          });
      }),
  };
}

async function refreshTokens(flow: CodeFlow, refreshToken: string, parts: GithubParts): Promise<HostToken> {
  const { server, client } = flow;
  const party = { client_id: client.clientId };
  const answer = await translatingFaults(() =>
    refreshTokenGrantRequest(server, party, ClientSecretPost(client.clientSecret), refreshToken, {
      [customFetch]: guardedFetch(parts.outbound),
      [allowInsecureRequests]: client.url.startsWith('http:'),
    }),
  );
  if (answer.status >= 500) throw new CodeHostError('unreachable', `refreshing: GitHub answered ${answer.status}`);
  // GitHub reports an expired refresh token as an error with status 200.
  const tokens = await processRefreshTokenResponse(server, party, answer).catch((cause: unknown) => {
    throw new CodeHostError('unauthorized', 'GitHub does not take the refresh token', { cause });
  });
  return tokenOf(tokens, parts.now());
}

function tokenOf(answer: TokenEndpointResponse, now: number): HostToken {
  const seconds = (value: unknown) => {
    const instant = typeof value === 'number' ? Math.round(now + value * 1000) : Number.NaN;
    return Number.isSafeInteger(instant) ? instant : null;
  };
  return {
    accessToken: answer.access_token,
    expiresAt: seconds(answer.expires_in),
    refreshToken: answer.refresh_token ?? null,
    refreshExpiresAt: seconds(answer['refresh_token_expires_in']),
  };
}

async function asHostFaults<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SocialSignInError)) throw error;
    throw new CodeHostError(error.reason, error.message, { cause: error });
  }
}

/** How to reach a GitHub, and as which applications. */
export interface GithubConfig {
  /** `https://github.com`, or the address of a self-hosted GitHub; without a trailing slash. */
  url: string;
  oauth: OauthClient | undefined;
  app: (OauthClient & { appId: string; slug: string; privateKey: string; webhookSecret: string }) | undefined;
}

interface OauthClient {
  clientId: string;
  clientSecret: string;
}

/** Returns the API address, which for a self-hosted GitHub is below its own address. */
export function apiUrlOf(url: string): string {
  return url === 'https://github.com' ? 'https://api.github.com' : `${url}/api/v3`;
}
