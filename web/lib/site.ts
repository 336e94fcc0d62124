import { queryOptions } from '@tanstack/react-query';
import type { Site } from '#contract/site.ts';
import { unreadableError } from './api-error.ts';
import { callLater } from './call-later.ts';
import { type Answer, request } from './request.ts';

/** The operator's settings for all pages; they change only when the server restarts. */
export const siteOptions = queryOptions({
  queryKey: ['site'],
  queryFn: async ({ signal }) => siteIn(await request('/api/site', { signal })),
  staleTime: Number.POSITIVE_INFINITY,
  retryOnMount: false,
});

export const flagsOptions = queryOptions({
  queryKey: ['flags'],
  queryFn: ({ signal }) =>
    callLater(async () => (await import('#contract/site.ts')).siteEndpoints.getFlags, {}, signal),
  staleTime: 5 * 60_000,
});

/** Every page's footer needs this, so it is validated here without the contract's schemas. */
function siteIn({ content, status }: Answer): Site {
  if (!isSite(content)) throw unreadableError(status);
  return content;
}

function isSite(content: unknown): content is Site {
  const { links, canRenderScripts, areCreditsOn, conversionTag } = (content ?? {}) as Record<string, unknown>;
  return (
    holds(links, isAddress) &&
    typeof canRenderScripts === 'boolean' &&
    typeof areCreditsOn === 'boolean' &&
    (conversionTag === null || holds(conversionTag, (part) => typeof part === 'string' || typeof part === 'boolean'))
  );
}

function holds(content: unknown, isPart: (part: unknown) => boolean): boolean {
  return typeof content === 'object' && content !== null && Object.values(content).every(isPart);
}

function isAddress(part: unknown): boolean {
  return part === null || (typeof part === 'string' && URL.canParse(part));
}
