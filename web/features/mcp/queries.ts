import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AgentSurface } from '#contract/agent-surface.ts';
import { slugOf } from '#contract/product-name.ts';
import written from '../../lib/agent-surface.json';
import { callLater } from '../../lib/call-later.ts';
import { installation } from '../../lib/installation.ts';
import { useSession } from '../../lib/session.ts';

/** What agents are offered: as the code says it at build time, and as soon as it answers as this server does. */
export function useAgentSurface(): AgentSurface {
  const answered = useQuery({
    queryKey: ['agent-surface'],
    queryFn: ({ signal }) =>
      callLater(
        async () => (await import('#contract/agent-surface.ts')).agentSurfaceEndpoints.getAgentSurface,
        {},
        signal,
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { productName } = installation();
  const asWritten = useMemo(() => namedAfter(productName), [productName]);
  return answered.data ?? asWritten;
}

/** Where agents reach this installation, no slash at the end. */
export function usePublicUrl(): string {
  return useSession().data?.publicUrl.replace(/\/+$/, '') ?? installation().address;
}

/** What the code says, with the name of this installation in place of the product's own. */
function namedAfter(productName: string): AgentSurface {
  const text = JSON.stringify(written)
    .replaceAll(written.productName, JSON.stringify(productName).slice(1, -1))
    .replaceAll(`${slugOf(written.productName)}_`, `${slugOf(productName)}_`);
  return JSON.parse(text) as AgentSurface;
}
