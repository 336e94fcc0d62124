import type { HostingMethod } from '#contract/hosting.ts';
import type { Outbound } from '../../outbound/index.ts';
import type { CodeHost } from '../code-host.ts';
import { githubApp } from './github-app.ts';
import type { GithubParts } from './github-client.ts';
import { apiUrlOf, type GithubConfig } from './github-config.ts';
import { readGithubEvent } from './github-events.ts';
import { githubOauth } from './github-oauth.ts';
import { githubContents, githubRepositories } from './github-repositories.ts';

/** github.com, or a GitHub of one's own, through Octokit. */
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
