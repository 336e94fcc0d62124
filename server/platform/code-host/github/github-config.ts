/** How a GitHub is reached, and as which applications. */
export interface GithubConfig {
  /** `https://github.com`, or the address of a GitHub of one's own; without a slash at the end. */
  url: string;
  oauth: OauthClient | undefined;
  app: (OauthClient & { appId: string; slug: string; privateKey: string; webhookSecret: string }) | undefined;
}

interface OauthClient {
  clientId: string;
  clientSecret: string;
}

/** A GitHub of one's own has its API below its address. */
export function apiUrlOf(url: string): string {
  return url === 'https://github.com' ? 'https://api.github.com' : `${url}/api/v3`;
}
