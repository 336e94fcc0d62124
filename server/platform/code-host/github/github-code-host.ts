import type { createAppAuth } from '@octokit/auth-app';
import type { HostingMethod } from '#contract/hosting.ts';
import { jsonOf } from '#contract/lenient.ts';
import type { Outbound } from '../../outbound/index.ts';
import { type CodeHost, CodeHostError, type HostEvent } from '../code-host.ts';
import { eventAnswer, installationOf } from './github-answers.ts';
import { asking, type GithubParts, githubClient } from './github-client.ts';
import { apiUrlOf, type GithubConfig, githubOauth } from './github-oauth.ts';
import { githubContents, githubRepositories } from './github-repositories.ts';

/** Creates the code host for github.com, or for a self-hosted GitHub, through Octokit. */
export function githubCodeHost(
  config: GithubConfig,
  { outbound, userAgent, now }: { outbound: Outbound; userAgent: string; now(): number },
): CodeHost {
  const parts: GithubParts = { apiUrl: apiUrlOf(config.url), outbound, userAgent, now };
  const methods: HostingMethod[] = ['app', 'oauth'];
  return {
    name: 'GitHub',
    url: config.url,
    methods: methods.filter((method) => config[method] !== undefined),
    ...githubOauth(config, parts),
    ...githubRepositories(config.url, parts),
    ...githubContents(parts),
    ...githubApp(config, parts),
    gitCredential: (token) => ({ username: 'x-access-token', password: token }),
    readEvent: readGithubEvent,
  };
}

const kinds: Record<string, HostEvent['kind']> = {
  ping: 'ping',
  push: 'push',
  repository: 'repository',
  installation: 'installation',
  installation_repositories: 'installation',
  github_app_authorization: 'revoked',
};

/**
 * Reads a delivery. The signature (HMAC-SHA-256 over the raw bytes, compared in constant time) is checked before any
 * content is trusted. Only the repository's id is read first, because each repository has its own secret; a made-up id
 * finds no matching secret.
 */
const readGithubEvent: CodeHost['readEvent'] = async ({ body, event, signature, secretsOf }) => {
  const text = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(body);
  const said = eventAnswer.safeParse(jsonOf(text));
  const repositoryId = said.data?.repository?.id;
  const { verify } = await import('@octokit/webhooks-methods');
  const secrets = secretsOf(repositoryId === undefined ? undefined : String(repositoryId));
  const isSigned = /^sha256=[0-9a-f]{64}$/.test(signature) && text !== '' && Buffer.from(text).equals(body);
  const fits = await Promise.all(secrets.map(async (secret) => isSigned && verify(secret, text, signature)));
  if (!fits.some((fit) => fit)) throw new CodeHostError('forged', 'the signature of an event is not right');
  if (!said.success) return { kind: 'other', repositoryIds: [], installationId: undefined, accountId: undefined };
  const { repository, installation, sender, ...lists } = said.data;
  const mentioned = [lists.repositories, lists.repositories_added, lists.repositories_removed].flatMap(
    (list) => list ?? [],
  );
  const isRevoked = event === 'github_app_authorization' && said.data.action === 'revoked';
  const kind = event === 'github_app_authorization' && !isRevoked ? 'other' : (kinds[event] ?? 'other');
  return {
    kind,
    repositoryIds: [...(repository ? [repository] : []), ...mentioned].map(({ id }) => String(id)),
    installationId: installation ? String(installation.id) : undefined,
    accountId: sender ? String(sender.id) : undefined,
  };
};

type AppAuth = ReturnType<typeof createAppAuth>;

/** Creates the calls made as the App itself, whose key signs a short-lived token (RS256) for each request. */
function githubApp(
  { url, app }: GithubConfig,
  parts: GithubParts,
): Pick<CodeHost, 'findInstallation' | 'installationToken' | 'installUrl'> {
  if (app === undefined) {
    return {
      installUrl: undefined,
      findInstallation: async () => undefined,
      installationToken: () => Promise.reject(new CodeHostError('refused', 'no App is configured')),
    };
  }
  let made: Promise<AppAuth> | undefined;
  // One per process: it caches its tokens until they are about to expire.
  const authOf = (): Promise<AppAuth> => {
    made ??= (async () => {
      const { createAppAuth } = await import('@octokit/auth-app');
      const { request } = await githubClient(parts);
      return createAppAuth({ appId: app.appId, privateKey: app.privateKey, request });
    })();
    return made;
  };
  return {
    installUrl: `${url}/${url === 'https://github.com' ? 'apps' : 'github-apps'}/${app.slug}/installations/new`,
    findInstallation: (fullName) =>
      asking(parts, 'finding an installation', async () => {
        const { token } = await (await authOf())({ type: 'app' });
        const octokit = await githubClient(parts, token);
        const [owner = '', repo = ''] = fullName.split('/');
        const { data } = await octokit.request('GET /repos/{owner}/{repo}/installation', { owner, repo });
        const { installationId, accountLogin, isSuspended } = installationOf(data);
        return isSuspended ? undefined : { installationId, accountLogin };
      }).catch((error: unknown) => {
        if (error instanceof CodeHostError && error.fault === 'not-found') return undefined;
        throw error;
      }),
    installationToken: (installationId, repositoryId) =>
      asking(parts, 'a token of an installation', async () => {
        const auth = await authOf();
        const { token } = await auth({
          type: 'installation',
          installationId: Number(installationId),
          repositoryIds: [Number(repositoryId)],
          permissions: { contents: 'read', metadata: 'read' },
        });
        return token;
      }),
  };
}
