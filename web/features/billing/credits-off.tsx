import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { siteOptions } from '../../lib/site.ts';
import { Notice } from '../../ui/notice.tsx';

/** Shows what is sold, or says that nothing is where this installation does not charge. */
export function WhereCreditsAreOn({ children }: { children: ReactNode }) {
  const site = useQuery(siteOptions).data;
  if (site?.areCreditsOn !== false) return children;
  return (
    <Notice tone="info" title="Searches and reads are free here">
      This installation doesn't charge for anything, so there are no plans to choose and no credits to buy.
    </Notice>
  );
}
