import type { createAppAuth } from '@octokit/auth-app';
import { type CodeHost, CodeHostError } from '../code-host.ts';
import { installationOf } from './github-answers.ts';
import { asking, type GithubParts, githubClient } from './github-client.ts';
import type { GithubConfig } from './github-config.ts';

type AppAuth = ReturnType<typeof createAppAuth>;

/** What is asked as the App itself: its key signs a short-lived token (RS256) for each request. */
export function githubApp(
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
  // One for the process: it keeps the tokens it was given until they are about to expire.
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
