import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { jobsOptions, modulesOptions } from '../../lib/library-queries.ts';
import { pdfSetsOptions } from '../../lib/pdf-set-queries.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { useNow } from '../../ui/relative-time.tsx';
import { listSources } from './listed-sources.ts';

/** Returns the workspace's and the public sources; `sources` is undefined until the modules have loaded. */
export function useSources() {
  const workspace = useWorkspaceId();
  const modules = useQuery(modulesOptions(workspace));
  const jobs = useQuery(jobsOptions(workspace));
  const sets = useQuery(pdfSetsOptions(workspace));
  const now = useNow(60_000);
  const sources = useMemo(
    () => modules.data && listSources(modules.data, jobs.data ?? [], sets.data?.sets ?? [], now),
    [modules.data, jobs.data, sets.data, now],
  );
  return { sources, modules, jobs, sets };
}
