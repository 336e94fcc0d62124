import { useQuery } from '@tanstack/react-query';
import type { Site } from '#contract/site.ts';
import { siteOptions } from '../../lib/site.ts';
import { destinations } from './site-map.ts';

type LinkName = keyof Site['links'];

const labels: Record<LinkName, string> = {
  docs: 'Docs',
  contact: 'Contact',
  source: 'Source',
  bugReport: 'Report a bug',
  missingDocs: 'Missing docs',
};

/** Pages of the installation, used for addresses that its operator has not set. */
const ownPages: Partial<Record<LinkName, string>> = {
  contact: '/docs/guide/help#contact',
  source: '/docs/guide/help#source',
  bugReport: '/docs/guide/help#report-a-bug',
  missingDocs: '/docs/guide/help#missing-docs',
};

/** Returns the named addresses as set by the operator, or (also until they are known) pages of this installation. */
export function useOutsideLinks(names: readonly LinkName[]): { label: string; href: string }[] {
  const links = useQuery(siteOptions).data?.links;
  return names.flatMap((name) => {
    const href = links?.[name] ?? ownPages[name];
    return href === undefined ? [] : [{ label: labels[name], href }];
  });
}

/** Returns the documentation's address as set by the operator, or this installation's own pages if there are any. */
export function useDocsLink(): string | undefined {
  const [outside] = useOutsideLinks(['docs']);
  return outside?.href ?? destinations.find(({ path }) => path === '/docs')?.path;
}
