import { useQuery } from '@tanstack/react-query';
import type { Site } from '#contract/site.ts';
import { siteOptions } from '../../lib/site.ts';
import { destinations } from './site-map.tsx';

type LinkName = keyof Site['links'];

const labels: Record<LinkName, string> = {
  docs: 'Docs',
  contact: 'Contact',
  source: 'Source',
  bugReport: 'Report a bug',
  missingDocs: 'Missing docs',
};

/** Those of the named addresses outside the installation that its operator has set. */
export function useOutsideLinks(names: readonly LinkName[]): { label: string; href: string }[] {
  const links = useQuery(siteOptions).data?.links;
  return names.flatMap((name) => {
    const href = links?.[name] ?? null;
    return href === null ? [] : [{ label: labels[name], href }];
  });
}

/** Where the documentation is: where the operator says, else the pages of this installation when there are some. */
export function useDocsLink(): string | undefined {
  const [outside] = useOutsideLinks(['docs']);
  return outside?.href ?? destinations.find(({ path }) => path === '/docs')?.path;
}
