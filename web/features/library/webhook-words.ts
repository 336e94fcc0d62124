import type { RepositoryDelivery } from '#contract/repositories.ts';
import type { Tone } from '../../ui/badge.tsx';

export const gitHosts = ['gitlab', 'gitea', 'github', 'other'] as const;
export type GitHost = (typeof gitHosts)[number];

export const gitHostLabels: Record<GitHost, string> = {
  gitlab: 'GitLab',
  gitea: 'Gitea, Forgejo, Gogs',
  github: 'GitHub',
  other: 'Other',
};

export const setupSteps: Record<GitHost, string[]> = {
  gitlab: [
    'Open the project, then Settings → Webhooks → Add new webhook.',
    'Paste the address as URL, and the secret as Signing token. On GitLab versions without signing tokens, use Secret token, over https only.',
    'Choose Push events and Tag push events, leave SSL verification on, and save.',
    'Test → Push events sends one at once. It appears below.',
  ],
  gitea: [
    'Open the repository, then Settings → Webhooks → Add webhook, and choose Gitea, Forgejo or Gogs.',
    'Paste the address as Target URL and the secret as Secret. Leave POST and application/json.',
    'Choose Push events, keep it active, and add it.',
    'Test delivery sends one at once. It appears below.',
  ],
  github: [
    'Open the repository, then Settings → Webhooks → Add webhook.',
    'Paste the address as Payload URL and the secret as Secret, with the content type application/json.',
    'Choose “Just the push event”, keep it active, and add it.',
    'GitHub sends a ping immediately: it appears below as accepted.',
  ],
  other: [
    'Create a webhook for pushes and tags that sends JSON by POST to the address above.',
    'Enter the secret. The host must sign the body with HMAC-SHA-256 in the header X-Hub-Signature-256, as Bitbucket does.',
    'Push something, or send a test: it appears below.',
  ],
};

/** Returns the host that an address looks like: a good guess. */
export function gitHostOf(url: string): GitHost {
  const host = /^(?:[a-z+]+:\/\/)?(?:[^@/]*@)?([^/:]+)/i.exec(url)?.[1]?.toLowerCase() ?? '';
  if (host.includes('gitlab')) return 'gitlab';
  if (host.includes('github')) return 'github';
  if (/gitea|forgejo|gogs|codeberg/.test(host)) return 'gitea';
  return host.includes('bitbucket') ? 'other' : 'gitea';
}

/** Returns true if an address refers to the machine itself, which external hosts cannot reach. */
export function isOwnMachine(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname.endsWith('.localhost') || /^(?:127\.|\[::1\])/.test(hostname);
}

const refusals: Record<NonNullable<RepositoryDelivery['reason']>, string> = {
  unsigned: 'It had no signature or token. Enter the secret in the webhook at the host.',
  'wrong-secret': 'It was signed with another secret. Enter the current one, or create a new one.',
  late: 'Its time is more than five minutes off. Check the clocks of the host and of this server.',
};

interface DeliveryWords {
  label: string;
  tone: Tone;
  detail: string;
}

/** Returns the label and explanation of a delivery's result. */
export function deliveryWords({ outcome, reason }: RepositoryDelivery): DeliveryWords {
  switch (outcome) {
    case 'looked':
      return { label: 'Accepted', tone: 'good', detail: 'The repository was checked.' };
    case 'elsewhere':
      return { label: 'Accepted', tone: 'quiet', detail: 'Not the indexed branch: nothing to do.' };
    case 'ignored':
      return { label: 'Accepted', tone: 'quiet', detail: 'Not a push: nothing to do.' };
    case 'repeated':
      return { label: 'Repeated', tone: 'quiet', detail: 'A repeated delivery.' };
    case 'refused':
      return { label: 'Rejected', tone: 'bad', detail: reason === null ? '' : refusals[reason] };
  }
}

/** Returns `refs/heads/main` in its short form. */
export function shortRef(ref: string): string {
  return ref.replace(/^refs\/(?:heads|tags)\//, '');
}
